"""The self-contained page: it must open, play what was given, and never call home."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from marotte import viewer
from marotte.errors import FileError, InputError, MissingPartError
from marotte.viewer import _page
from tests.figure.figures import wander


class Reader(HTMLParser):
    """The elements of a page with their attributes and texts, as a browser sees them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("/" + tag, {}, ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attrs, text = self.found[-1]
            self.found[-1] = (tag, attrs, text + data)

    def texts(self, tag: str, **wanted: str) -> list[str]:
        return [text for t, attrs, text in self.found if t == tag and wanted.items() <= attrs.items()]


@pytest.fixture(scope="module")
def two() -> Reader:
    return Reader(viewer.page([wander(6), wander(4, seed=1)], title="walk & wait"))


def payload_of(page: Reader) -> dict[str, object]:
    (text,) = page.texts("script", id="marotte-payload")
    payload = json.loads(text)
    assert isinstance(payload, dict)
    return payload


def test_the_page_carries_the_takes_and_the_title(two: Reader) -> None:
    payload = payload_of(two)
    assert payload["title"] == "walk & wait"
    assert payload["version"] == viewer.PAYLOAD_VERSION
    assert [take["frames"] for take in payload["takes"]] == [6, 4]  # type: ignore[attr-defined]  # plain JSON
    assert two.texts("title") == ["walk & wait – Marotte"]


def test_names_from_files_cannot_break_out_of_the_page() -> None:
    nasty = "</script><script>alert(1)</script><!--\u2028&lt;]]>\"'</title>"
    page = Reader(viewer.page(wander(3).with_(name=nasty), title=nasty))
    payload = payload_of(page)
    assert payload["title"] == nasty
    assert page.texts("title") == [f"{nasty} – Marotte"]
    assert len(page.texts("script")) == 2
    assert "alert(1)" not in "".join(page.texts("script", type="module"))


def test_the_page_loads_nothing(two: Reader) -> None:
    for tag, attrs, _ in two.found:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert (attrs.get(name) or "data:,").startswith("data:"), (tag, attrs)


def test_the_policy_allows_just_the_script_and_the_style_that_are_inside(two: Reader) -> None:
    (policy,) = (
        attrs["content"]
        for tag, attrs, _ in two.found
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    for rule, (text,) in (
        ("script-src", two.texts("script", type="module")),
        ("style-src", two.texts("style")),
    ):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_policy_comes_before_anything_that_it_governs(two: Reader) -> None:
    kinds = ["policy" if attrs.get("http-equiv") else tag for tag, attrs, _ in two.found]
    assert kinds.index("policy") < min(kinds.index("script"), kinds.index("style"))


def test_a_page_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "player.html"
    viewer.write_page(path, wander(3))
    text = path.read_text(encoding="utf-8")
    assert re.search(r"<title>wander – Marotte</title>", text)
    assert [p.name for p in tmp_path.iterdir()] == ["player.html"]


def test_a_page_for_nowhere_says_where(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere.*cannot be written"):
        viewer.write_page(tmp_path / "nowhere" / "player.html", wander(3))


def test_a_page_needs_a_take() -> None:
    with pytest.raises(InputError, match="at least one motion"):
        viewer.page([])


def test_without_the_built_front_end_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_page, "TEMPLATE", tmp_path / "player.html")
    with pytest.raises(MissingPartError, match=r"not built.*make web.*Node"):
        viewer.page(wander(3))
    (tmp_path / "player.html").write_text("<title>Marotte</title>", encoding="utf-8")
    with pytest.raises(MissingPartError, match="build the front end again"):
        viewer.page(wander(3))
