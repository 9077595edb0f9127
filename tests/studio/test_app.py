"""The Studio's server: what it answers, whom it refuses, and how it says no."""

from __future__ import annotations

import gzip
import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from marotte import formats, samples
from marotte.errors import FileError, MissingPartError
from marotte.studio import _app, _library
from marotte.studio._app import create_app
from marotte.studio._drop import Dropped, place_of, readable
from marotte.studio._library import Library
from marotte.studio._warmup import Warmup
from marotte.viewer import DropAnswer, KernelState, OpenedTake, TakeList

TOKEN = "the-token-of-this-test"
KEY = {"x-marotte-token": TOKEN}
ROD = b"""HIERARCHY
ROOT Base
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  End Site
  {
    OFFSET 0 100 0
  }
}
MOTION
Frames: 3
Frame Time: 0.04
0 0 0 0 0 0
1 0 0 0 0 0
2 0 0 0 0 45
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stand-in for the built page: these tests are about the server."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text("<!doctype html><title>Studio</title>", encoding="utf-8")
    (folder / "assets").mkdir()
    (folder / "assets" / "index-abc.js").write_text("1", encoding="utf-8")
    return folder


@pytest.fixture
def rod(tmp_path: Path) -> Path:
    path = tmp_path / "rod.bvh"
    path.write_bytes(ROD)
    return path


@contextmanager
def listening(page: Path, rod: Path) -> Iterator[httpx.Client]:
    """Something that asks a server which really listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        app = create_app(Library([rod]), Warmup(), hosts=[host], token=TOKEN, static=page)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, server_header=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        with httpx.Client(base_url=f"http://{host}", timeout=60) as client:
            yield client
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def client(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A Studio for all tests that change nothing."""
    path = tmp_path_factory.mktemp("takes") / "rod.bvh"
    path.write_bytes(ROD)
    with listening(page, path) as client:
        yield client


@pytest.fixture
def own(page: Path, rod: Path) -> Iterator[httpx.Client]:
    """A Studio for one test."""
    with listening(page, rod) as client:
        yield client


def host_of(client: httpx.Client) -> str:
    return client.base_url.netloc.decode()


def message(response: Any) -> str:
    body = response.json()
    assert set(body) == {"message"}
    return str(body["message"])


# ---- who may ask


@pytest.mark.parametrize("path", ["/", "/api/takes", "/assets/index-abc.js"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost:80.evil.example"])
def test_another_host_is_refused_everywhere(client: httpx.Client, path: str, host: str) -> None:
    response = client.get(path, headers={**KEY, "host": host})
    assert response.status_code == 421
    assert "marotte studio" in message(response)


@pytest.mark.parametrize("path", ["/", "/api/takes"])
@pytest.mark.parametrize(
    "told",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_page_is_refused_everywhere(client: httpx.Client, path: str, told: dict[str, str]) -> None:
    assert client.get(path, headers={**KEY, **told}).status_code == 403


def test_its_own_page_and_a_typed_address_are_served(client: httpx.Client) -> None:
    for told in (
        {"origin": f"http://{host_of(client)}"},
        {"sec-fetch-site": "none"},
        {"sec-fetch-site": "same-origin"},
    ):
        assert client.get("/", headers=told).status_code == 200


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", TOKEN[:-1], "schlüssel"])
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/takes"), ("GET", "/api/status"), ("POST", "/api/takes"), ("GET", "/api/none")],
)
def test_without_the_token_nothing_is_told(
    client: httpx.Client, method: str, path: str, token: str | None
) -> None:
    headers = {} if token is None else {b"x-marotte-token": token.encode()}
    response = client.request(method, path, headers=headers)
    assert response.status_code == 401
    assert "marotte studio" in message(response)


def test_the_token_in_the_address_opens_nothing(client: httpx.Client) -> None:
    assert client.get(f"/api/takes?token={TOKEN}").status_code == 401


@pytest.mark.parametrize("path", ["/", "/api/takes", "/api/takes/none", "/assets/index-abc.js", "/none"])
@pytest.mark.parametrize("host", [None, "evil.example"])
def test_every_answer_carries_the_strict_headers(client: httpx.Client, path: str, host: str | None) -> None:
    headers = client.get(path, headers={**KEY, "host": host or host_of(client)}).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http:" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "uvicorn" not in headers.get("server", "")


def test_only_hashed_assets_are_kept_by_the_browser(client: httpx.Client) -> None:
    assert client.get("/api/takes", headers=KEY).headers["cache-control"] == "no-store"
    assert client.get("/").headers["cache-control"] == "no-cache"
    assert "immutable" in client.get("/assets/index-abc.js").headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fsecret",
        "//etc/passwd",
        "/api/takes/..%2f..%2fetc",
    ],
)
def test_no_path_leads_out_of_the_page(client: httpx.Client, page: Path, path: str) -> None:
    (page.parent / "secret").write_text("secret", encoding="utf-8")
    response = client.get(path, headers=KEY)
    assert response.status_code in (404, 405)
    assert "root:" not in response.text


# ---- takes


def test_files_come_first_and_every_built_in_take_is_listed(client: httpx.Client) -> None:
    takes = TakeList.model_validate(client.get("/api/takes", headers=KEY).json()).takes
    assert (takes[0].id, takes[0].name, takes[0].source) == ("file-1", "rod", "file")
    assert [t.id for t in takes[1:]] == list(samples.names())
    assert all(t.description and t.has_options for t in takes[1:])


def test_every_built_in_take_opens_with_its_defaults(client: httpx.Client) -> None:
    for name in samples.names():
        opened = OpenedTake.model_validate(client.get(f"/api/takes/{name}", headers=KEY).json())
        assert opened.id == name
        assert opened.take.frames > 10
        assert opened.rig.roles > 15
        assert opened.take.shapes


def test_a_file_is_opened_with_what_its_reader_had_to_guess(client: httpx.Client) -> None:
    opened = OpenedTake.model_validate(client.get("/api/takes/file-1", headers=KEY).json())
    assert opened.take.frames == 3
    assert opened.take.frame_rate == pytest.approx(25)
    assert opened.take.joints[0].ends
    assert opened.notes
    assert opened.rig.roles == 0


def test_a_file_that_changed_is_read_again(own: httpx.Client, rod: Path) -> None:
    assert own.get("/api/takes/file-1", headers=KEY).json()["take"]["frames"] == 3
    rod.write_bytes(ROD.replace(b"Frames: 3", b"Frames: 2").replace(b"2 0 0 0 0 45\n", b""))
    assert own.get("/api/takes/file-1", headers=KEY).json()["take"]["frames"] == 2
    rod.unlink()
    gone = own.get("/api/takes/file-1", headers=KEY)
    assert gone.status_code == 422
    assert "no such file" in message(gone)


def test_options_make_another_take(client: httpx.Client) -> None:
    def frames(**options: object) -> int:
        response = client.get("/api/takes/walk", params={"options": json.dumps(options)}, headers=KEY)
        assert response.status_code == 200, response.text
        return int(response.json()["take"]["frames"])

    assert frames(seconds=1, frame_rate=30) == 31
    assert frames(seconds=2, frame_rate=30) == 61
    assert frames(seconds=1, frame_rate=30) == 31


def test_the_options_are_told_as_json_schema_own_ones_first(client: httpx.Client) -> None:
    schema = client.get("/api/takes/walk/options", headers=KEY).json()
    names = list(schema["properties"])
    assert names[0] == "style"
    assert set(names) == set(samples.options("walk").model_fields)
    assert names.index("frame_rate") > names.index("turn")
    assert schema["properties"]["seconds"]["unit"] == "s"


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/takes/wakl", 404, "did you mean 'walk'"),
        ("/api/takes/file-9", 404, "unknown take"),
        ("/api/takes/wakl/options", 404, "did you mean 'walk'"),
        ("/api/takes/file-1/options", 422, "no options"),
        ('/api/takes/file-1?options={"a":1}', 422, "no options"),
        ("/api/takes/walk?options=nonsense", 422, "must be JSON"),
        ("/api/takes/walk?options=[1]", 422, "JSON object"),
        ('/api/takes/walk?options={"speeed":1}', 422, "did you mean 'speed'"),
        ('/api/takes/walk?options={"seconds":1e9}', 422, "600"),
        ("/api/takes/walk?options=" + "9" * 5000, 422, "options"),
        ("/api/none", 404, "nothing at this address"),
        ("/none", 404, "nothing at this address"),
    ],
)
def test_errors_say_what_is_wrong_in_one_shape(
    client: httpx.Client, path: str, status: int, says: str
) -> None:
    response = client.get(path, headers=KEY)
    assert response.status_code == status
    assert says in message(response)


def test_what_nobody_foresaw_is_no_traceback_in_the_page(
    own: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(samples, "make", broken)
    response = own.get("/api/takes/walk", headers=KEY)
    assert response.status_code == 500
    assert "inside" not in message(response)
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "inside" in caplog.text  # for the terminal


def test_takes_travel_compressed(client: httpx.Client) -> None:
    with client.stream("GET", "/api/takes/walk", headers={**KEY, "accept-encoding": "gzip"}) as response:
        assert response.headers["content-encoding"] == "gzip"
        raw = b"".join(response.iter_raw())
    assert json.loads(gzip.decompress(raw))["id"] == "walk"


# ---- dropping files


def drop(client: httpx.Client, *files: tuple[str, bytes]) -> httpx.Response:
    return client.post("/api/takes", files=[("file", file) for file in files], headers=KEY)


def dropped(client: httpx.Client, *files: tuple[str, bytes]) -> DropAnswer:
    response = drop(client, *files)
    assert response.status_code == 200, response.text
    return DropAnswer.model_validate(response.json())


def test_a_dropped_file_is_listed_and_opens(own: httpx.Client) -> None:
    [summary] = dropped(own, ("swing été.bvh", ROD)).takes
    assert summary.name == "swing été"
    assert summary.source == "file"
    opened = own.get(f"/api/takes/{summary.id}", headers=KEY).json()
    assert opened["take"]["frames"] == 3
    assert opened["take"]["name"] == "swing été"
    listed = own.get("/api/takes", headers=KEY).json()["takes"]
    assert [t["id"] for t in listed[:2]] == ["file-1", summary.id]


def test_files_that_cannot_be_read_are_named_as_they_were_dropped_and_stop_no_other(
    own: httpx.Client,
) -> None:
    bent = ROD.replace(b"CHANNELS 6", b"CHANNELS six")
    answer = dropped(own, ("bent.bvh", bent), ("walks/rod.bvh", ROD), ("walks/empty.bvh", b""))
    assert [take.name for take in answer.takes] == ["rod"]
    assert [problem.split(":")[0] for problem in answer.problems] == ["bent.bvh", "walks/empty.bvh"]
    assert answer.problems[0].startswith("bent.bvh:5:")
    assert "marotte-" not in "".join(answer.problems)  # the folder in which they lay
    assert len(own.get("/api/takes", headers=KEY).json()["takes"]) == 2 + len(samples.names())


def test_what_is_dropped_together_is_read_together(own: httpx.Client) -> None:
    rig = b"marotte_rig: 1\nroles: {hips: Base}\n"
    answer = dropped(
        own, ("a/rod.bvh", ROD), ("a/rod.rig.yaml", rig), ("b/rod.bvh", ROD), ("readme.txt", b"hello")
    )
    assert answer.problems == []
    told = [own.get(f"/api/takes/{take.id}", headers=KEY).json() for take in answer.takes]
    assert [take["rig"]["roles"] for take in told] == [1, 0]


def test_a_skeleton_that_came_with_its_motions_is_no_take_of_its_own() -> None:
    names = [Path(name) for name in ("07.asf", "07_01.amc", "07_02.amc", "x/08.asf", "notes.txt")]
    with_acclaim = {".asf", ".amc"} <= {e for f in formats.FORMATS if f.reader for e in f.extensions}
    assert [p.name for p in readable(names)] == (["07_01.amc", "07_02.amc", "08.asf"] if with_acclaim else [])


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("walk.bvh", "walk.bvh"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\x\\walk.bvh", "C_/x/walk.bvh"),
        ("a/./b/..//c.bvh", "a/b/c.bvh"),
        ("\x00\n.bvh", "__.bvh"),
        ("", "dropped"),
        ("..", "dropped"),
        ("/".join("abcdefghijk"), "d/e/f/g/h/i/j/k"),
    ],
)
def test_names_of_dropped_files_lead_nowhere(name: str, place: str) -> None:
    assert place_of(name).as_posix() == place


@pytest.mark.parametrize("name", ["picture.png", "noextension", "../../etc/passwd", "x" * 400 + ".bvh"])
def test_what_is_no_take_is_said(client: httpx.Client, name: str) -> None:
    answer = dropped(client, (name, b"content"))
    assert answer.takes == []
    assert len(answer.problems) == 1


def test_a_drop_must_hold_files_and_say_its_size(client: httpx.Client) -> None:
    nothing = client.post("/api/takes", files=[("other", ("a.bvh", ROD))], headers=KEY)
    assert nothing.status_code == 422
    assert "at least one file" in message(nothing)

    def endless() -> Iterator[bytes]:
        yield from [b"x" * 1000] * 100

    unsaid = client.post("/api/takes", content=endless(), headers=KEY)
    assert unsaid.status_code == 422
    assert "how large" in message(unsaid)
    form = {**KEY, "content-type": "multipart/form-data; boundary=x"}
    for content in (b"nonsense", b"--x\r\nnonsense\r\n--x--"):
        assert client.post("/api/takes", content=content, headers=form).status_code in (400, 422)


def test_a_drop_must_be_within_bounds(own: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_app, "MAX_UPLOAD", 1000)
    assert dropped(own, ("fits.bvh", ROD)).takes
    response = drop(own, ("large.bvh", ROD + b"\n" * 1000))
    assert response.status_code == 422
    assert "must not be larger" in message(response)


def test_all_drops_together_must_be_within_bounds(own: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_library, "MAX_HELD", 3500)  # bytes: two of these, with their forms
    tries = [drop(own, (f"{i}.bvh", ROD + b"\n" * 1000)).status_code for i in range(3)]
    assert tries == [200, 200, 422]


def test_what_could_not_be_read_takes_no_room(own: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_library, "MAX_HELD", 1500)
    for _ in range(5):
        assert not dropped(own, ("broken.bvh", b"x" * 500)).takes
    assert dropped(own, ("rod.bvh", ROD)).takes


def test_nothing_of_a_dropped_file_stays_on_disk(
    own: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert dropped(own, ("rod.bvh", ROD), ("broken.bvh", b"x" * 3_000_000)).takes
    assert list((tmp_path / "temporary").iterdir()) == []


# ---- starting


def test_a_folder_brings_what_can_be_read_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.bvh", "a.BVH", "notes.txt", "deep/c.bvh"):
        (tmp_path / name).write_bytes(ROD)
    names = [t.name for t in Library([tmp_path]).list().takes if t.source == "file"]
    assert names == ["a", "b", "c"]


def test_a_folder_with_nothing_to_play_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"hello")
    with pytest.raises(FileError, match=r"holds no file that can be read \(\.bvh"):
        Library([tmp_path])


def test_a_missing_file_is_said_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none\.bvh.*no such file"):
        Library([tmp_path / "none.bvh"])


def test_without_the_built_page_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingPartError, match=r"not built.*make web"):
        create_app(Library(), Warmup(), hosts=[], token=TOKEN, static=tmp_path)


def test_kernels_are_compiled_in_the_background_and_the_state_is_told(client: httpx.Client) -> None:
    deadline = time.monotonic() + 120
    state = KernelState.model_validate(client.get("/api/status", headers=KEY).json())
    while state.compiling is not None and time.monotonic() < deadline:
        time.sleep(0.05)
        state = KernelState.model_validate(client.get("/api/status", headers=KEY).json())
    assert state.compiling is None
    assert state.compiled == state.kernels > 5


def test_only_a_few_opened_takes_are_kept(rod: Path) -> None:
    library = Library([rod])
    for seed in range(_library.KEPT_ANSWERS + 5):
        library.open("walk", {"seconds": 0.5, "seed": seed})
    assert len(library._answers) == _library.KEPT_ANSWERS


def test_opened_takes_that_are_kept_stay_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    size = len(library.open("walk", {"seconds": 0.5}))
    monkeypatch.setattr(_library, "KEPT_BYTES", int(2.5 * size))
    for seed in range(4):
        library.open("walk", {"seconds": 0.5, "seed": seed})
    assert len(library._answers) == 2
    library.open("walk", {"seconds": 10})  # larger than all that may be kept: sent, not kept
    assert len(library._answers) == 0


def test_a_dropped_file_is_kept_in_pieces() -> None:
    class Counted(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= 2**20
            return super().read(size)

    assert Library().add([Dropped("rod.bvh", Counted(ROD))], len(ROD)).takes[0].name == "rod"
