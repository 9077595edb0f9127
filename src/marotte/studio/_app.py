"""The routes of the Studio."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from ..errors import InputError, MarotteError, UnknownNameError
from ..viewer import KernelState, Problem, TakeList, TakeSummary, missing_front_end
from ._guard import Guard
from ._library import MAX_UPLOAD, Library
from ._warmup import Warmup

STATIC = Path(__file__).parent / "static"
IN_MEMORY = 8 * 2**20  # bytes of an upload before it goes to a temporary file
MAX_OPTIONS = 4096  # characters

_log = logging.getLogger(__name__)


def create_app(
    library: Library, warmup: Warmup, *, hosts: Collection[str], token: str, static: Path = STATIC
) -> ASGIApp:
    """The application, behind its guard. `hosts` are the names it answers to, with the port."""
    if not (static / "index.html").is_file():
        raise missing_front_end("the Studio's page")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        warmup.start()
        yield
        warmup.stop()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    _add_problems(app)

    @app.get("/api/status")
    async def status() -> KernelState:
        return warmup.state

    @app.get("/api/takes")
    def takes() -> TakeList:
        return library.list()

    @app.get("/api/takes/{key}")
    def take(key: str, options: Annotated[str, Query(max_length=MAX_OPTIONS)] = "") -> Response:
        return Response(library.open(key, _options(options)), media_type="application/json")

    @app.get("/api/takes/{key}/options")
    def schema(key: str) -> dict[str, Any]:
        return library.schema(key)

    @app.post("/api/takes", status_code=201)
    async def upload(request: Request, x_file_name: Annotated[str, Header(max_length=1024)]) -> TakeSummary:
        name = unquote(x_file_name)
        with SpooledTemporaryFile(max_size=IN_MEMORY) as content:
            size = await _receive(request, content, name)
            content.seek(0)
            return await run_in_threadpool(library.add, name, content, size)  # type: ignore[arg-type]  # a spooled file reads as any other

    @app.get("/")
    async def index() -> Response:
        return FileResponse(static / "index.html", headers={"cache-control": "no-cache"})

    app.mount("/", _Assets(directory=static))
    return Guard(GZipMiddleware(app, minimum_size=1024, compresslevel=1), hosts=hosts, token=token)


class _Assets(StaticFiles):
    """The built page's files. Their names change with what is in them, so that they may be kept."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "max-age=31536000, immutable"
        return response


def _options(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        options = json.loads(text)
    except ValueError as problem:
        raise InputError(f"options must be JSON: {problem}") from None
    if not isinstance(options, dict):
        raise InputError(f"options must be a JSON object, but are {type(options).__name__}")
    return options


async def _receive(request: Request, content: Any, name: str) -> int:
    """Write a request's body to a file, as long as it stays within bounds; returns its size."""
    too_large = InputError(
        f"{name!r} must not be larger than {MAX_UPLOAD // 2**20} MB to be dropped into the page; "
        "start the Studio with it instead: marotte studio FILE"
    )
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > MAX_UPLOAD:
        raise too_large
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_UPLOAD:
            raise too_large
        content.write(chunk)
    return size


def _add_problems(app: FastAPI) -> None:
    """Every error answers in the same shape, in words for a person."""

    def problem(status: int, message: str) -> JSONResponse:
        return JSONResponse(Problem(message=message).model_dump(), status_code=status)

    @app.exception_handler(MarotteError)
    async def ours(_: Request, error: Exception) -> Response:
        missing = isinstance(error, UnknownNameError) and error.kind == "take"
        return problem(404 if missing else 422, str(error))

    @app.exception_handler(RequestValidationError)
    async def misused(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        return problem(422, f"{first['loc'][-1]}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        text = "There is nothing at this address." if error.status_code == 404 else str(error.detail)
        return problem(error.status_code, text)

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> Response:
        _log.error("a request failed", exc_info=error)
        return problem(500, "Something in Marotte failed; the terminal that runs the Studio says what.")
