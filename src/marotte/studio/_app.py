"""The routes of the Studio."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from ..errors import InputError, MarotteError, UnknownNameError
from ..viewer import DropAnswer, KernelState, Problem, TakeList, missing_front_end
from ._drop import Dropped
from ._guard import Guard
from ._library import MAX_UPLOAD, Library
from ._warmup import Warmup

STATIC = Path(__file__).parent / "static"
MAX_DROPPED = 1000  # files of one drop
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

    @app.post("/api/takes")
    async def drop(request: Request) -> DropAnswer:
        size = _declared_size(request)
        async with request.form(max_files=MAX_DROPPED, max_fields=0) as form:
            uploads = [upload for upload in form.getlist("file") if isinstance(upload, UploadFile)]
            files = [Dropped(upload.filename or "", upload.file) for upload in uploads]
            if not files:
                raise InputError("a drop must hold at least one file, in a multipart form, named 'file'")
            return await run_in_threadpool(library.add, files, size)

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


def _declared_size(request: Request) -> int:
    """The size of a request's body, which the server holds it to; it must be within bounds."""
    declared = request.headers.get("content-length", "")
    if not declared.isdecimal():
        raise InputError("a drop must say how large it is (Content-Length)")
    size = int(declared)
    if size > MAX_UPLOAD:
        raise InputError(
            f"a drop must not be larger than {MAX_UPLOAD // 2**20} MB, but this is {size / 2**20:.0f} MB; "
            "start the Studio with the files instead: marotte studio FILES"
        )
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
