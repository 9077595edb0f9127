"""The command as a person runs it: a link, a page, Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from marotte.errors import InputError
from marotte.studio import serve
from marotte.studio._app import STATIC

START = "from marotte.studio import serve; serve([], open_browser=False, port={port})"


@contextmanager
def running(port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    if not (STATIC / "index.html").is_file():
        pytest.fail("the front end is not built: make web")
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", START.format(port=port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ.copy(),
    )
    try:
        assert process.stdout is not None
        link = re.search(r"http://127\.0\.0\.1:\d+/#token=[\w-]{20,}", process.stdout.readline())
        assert link is not None, process.communicate(timeout=20)[1]
        assert "Ctrl-C" in process.stdout.readline()
        yield process, link[0]
    finally:
        process.kill()
        process.communicate(timeout=20)


def test_it_prints_a_link_that_works_and_ends_quietly_on_ctrl_c() -> None:
    with running() as (process, link):
        address, token = link.split("/#token=")
        page = httpx.get(f"{address}/", timeout=20)
        assert page.status_code == 200
        assert "Marotte Studio" in page.text
        takes = httpx.get(f"{address}/api/takes", headers={"x-marotte-token": token}, timeout=60)
        assert takes.json()["takes"]
        assert httpx.get(f"{address}/api/takes", timeout=20).status_code == 401
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0
        assert out == ""
        assert err == ""


def test_it_listens_on_this_machine_only() -> None:
    with running() as (_, link):
        port = int(link.split(":")[2].split("/")[0])
        addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in addresses - {"127.0.0.1"}:
            with socket.socket() as probe:
                probe.settimeout(2)
                assert probe.connect_ex((str(address), port)) != 0


def test_a_port_that_is_taken_is_said_in_words() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match=r"must be free.*leave --port out"):
            serve(port=taken.getsockname()[1], open_browser=False)
