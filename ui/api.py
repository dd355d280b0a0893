"""The page's server with ``POST /api/compare`` beside the pages, for other programs: ``tted app --api``.

A request is work like any page's: it waits for its turn, and the limits of size, nodes and seconds hold. All
requests together take turns with the visitors as one of them (those of each server, where there are several).
"""

import asyncio
import json
import sys
from collections.abc import Iterable
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config

from tted_core import MindMap, TTEDError, parse_map
from tted_core.baselines import MEASURES
from tted_core.errors import Interrupted, NotAllowedError, OptionsError, ToolError
from tted_core.formats import ROOTS
from tted_core.foundations.limits import MAX_BYTES, MAX_REQUESTS, check_limit
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.registry import chosen
from tted_core.method import DEFAULT_PRESET, Method
from ui.comparisons import reads_word_models
from ui.options import offered_encoders
from ui.processes import comparing, start_processes
from ui.running.job import Job, Visitor
from ui.server import check_served

LOOK_SECONDS = 0.05
OTHER_PROGRAMS = Visitor()
"""Whoever asks here, as the queue knows them."""

FIELDS = {"left", "right", "options", "baselines", "roots"}
_under_way: set[Request] = set()


async def compare(request: Request) -> JSONResponse:
    """Compare two maps: ``{"left": TEXT, "right": TEXT, "options": {...}, "baselines": [...]}``."""
    if len(_under_way) >= MAX_REQUESTS:
        return _refused(HTTPStatus.TOO_MANY_REQUESTS, "too many comparisons are under way; try again later")
    _under_way.add(request)
    try:
        _check_caller(request)
        asked = await _asked(request)
        left, right, method, baselines = await asyncio.to_thread(_read, asked)
        work = partial(_compared, left, right, method, baselines)
        job = Job(
            work,
            OTHER_PROGRAMS,
            word_models=reads_word_models(method.distance, *baselines),
            beforehand=partial(comparing.encode, left, right, method),
        )
        while not job.wait(0):
            if await request.is_disconnected():
                job.drop()
            await asyncio.sleep(LOOK_SECONDS)
        return JSONResponse(job.result())
    except NotAllowedError as error:
        return _refused(HTTPStatus.FORBIDDEN, str(error))
    except (Interrupted, ToolError) as error:
        return _refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
    except TTEDError as error:
        return _refused(HTTPStatus.BAD_REQUEST, str(error))
    finally:
        _under_way.discard(request)


ROUTES = [Route("/api/compare", compare, methods=["POST"])]


def _refused(status: HTTPStatus, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)


def _check_caller(request: Request) -> None:
    """Serve whom the pages serve; another site's page can't send JSON without being asked for its origin."""
    check_served()
    names = config.get_option("server.allowedHosts")
    if names and request.url.hostname not in names:
        raise NotAllowedError(f"this server isn't called {request.url.hostname}; start it with --host NAME")
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise OptionsError("send the request as Content-Type: application/json")


async def _asked(request: Request) -> dict[str, Any]:
    """The request's fields."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        check_limit(len(content), 2 * MAX_BYTES, "bytes or more in the request", "send smaller maps")
    try:
        asked = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise OptionsError(f"the request is no JSON ({error})") from error
    if not isinstance(asked, dict):
        raise OptionsError('the request is no JSON object; send {"left": TEXT, "right": TEXT}')
    for name in asked.keys() - FIELDS:
        raise OptionsError(f"there is no field {name!r:.40}; choose from: {', '.join(sorted(FIELDS))}")
    return asked


def _read(asked: dict[str, Any]) -> tuple[MindMap, MindMap, Method, tuple[str, ...]]:
    """What is asked for, read and checked.

    Raises:
        TTEDError: what is wrong with it.
    """
    sides = {}
    for side in ("left", "right"):
        if not isinstance(asked.get(side), str):
            raise OptionsError(f'"{side}" is no text; give the text of a map')
        try:
            sides[side] = parse_map(
                asked[side].encode("utf-8", "replace"), roots=asked.get("roots", ROOTS[0])
            )
        except TTEDError as error:
            raise OptionsError(f"{side} map: {error}") from error
    options = asked.get("options", {})
    if not isinstance(options, dict):
        raise OptionsError('"options" is no JSON object; give options by their names')
    if "masked_model" in options:
        raise OptionsError("masked_model can't be chosen here; leave it out")
    if (encoder := options.get("encoder")) is not None and encoder not in offered_encoders():
        raise OptionsError(
            f"there is no encoder {encoder!r:.40}; choose from: {', '.join(offered_encoders())}"
        )
    baselines = asked.get("baselines", [])
    if not isinstance(baselines, list):
        raise OptionsError('"baselines" is no list of names')
    names = chosen(MEASURES, baselines, "baseline")
    preset = options.pop("preset", DEFAULT_PRESET)
    return sides["left"], sides["right"], Method.of(preset, **options), tuple(names)


def _compared(
    left: MindMap, right: MindMap, method: Method, baselines: Iterable[str], monitor: Monitor
) -> dict[str, Any]:
    return comparing.compare(left, right, method, baselines, monitor).to_dict()


def serve(page: str, settings: Iterable[str]) -> None:
    """Serve the pages and the routes until stopped; ``settings`` are Streamlit's, as --NAME=VALUE."""
    import streamlit as st

    given: dict[str, Any] = {}
    for name, _, value in (each.removeprefix("--").partition("=") for each in settings):
        if name == "server.allowedHosts":
            given.setdefault(name, []).append(value)
        else:
            given[name] = int(value) if value.isdecimal() else {"true": True}.get(value, value)
    start_processes()
    sys.argv = [page]  # beside which Streamlit looks for its settings
    st.App(page, routes=ROUTES).run(config=given)


if __name__ == "__main__":
    from ui.api import serve as serve_by_name  # a worker process finds what is in this module by its name

    _, _, first, *others = sys.argv
    serve_by_name(first, others)
