"""Running the Studio until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import uvicorn

from ..errors import InputError
from ._app import create_app
from ._library import Library
from ._warmup import Warmup

ADDRESS = "127.0.0.1"


def serve(
    files: Iterable[Path] = (),
    *,
    port: int = 0,
    open_browser: bool = True,
    announce: Callable[[str], object] = print,
) -> None:
    """Open the Studio with these files beside the built-in takes; returns when it is ended.

    It listens on this machine only, on a free port where `port` is 0. The link that is announced
    carries a token that is made anew every time; without it nothing is answered.
    """
    library = Library(files)
    token = secrets.token_urlsafe(24)
    with _listen(port) as listener:
        bound = listener.getsockname()[1]
        hosts = [f"{name}:{bound}" for name in (ADDRESS, "localhost")]
        if bound == 80:  # which browsers leave out
            hosts += [ADDRESS, "localhost"]
        app = create_app(library, Warmup(), hosts=hosts, token=token)
        link = f"http://{ADDRESS}:{bound}/#token={token}"
        announce(f"Marotte Studio: {link}\nCtrl-C ends it.")
        if open_browser:
            # It may take a while to start one, and the page can wait: the socket listens already.
            threading.Thread(target=_open, args=(link, announce), daemon=True).start()
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=2,
        )
        with suppress(KeyboardInterrupt):  # uvicorn shuts down in order first and raises it then
            uvicorn.Server(config).run(sockets=[listener])


def _open(link: str, announce: Callable[[str], object]) -> None:
    try:
        opened = webbrowser.open(link)
    except (OSError, webbrowser.Error):
        opened = False
    if not opened:
        announce("No browser could be started here: open the link in one yourself.")


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen(128)
    except OSError as problem:
        listener.close()
        raise InputError(
            f"port {port} of this machine must be free, but cannot be had: {problem.strerror}; "
            "leave --port out to get one that is"
        ) from None
    return listener
