"""Build the documentation's site: the documents as they lie in the tree, README.md first."""

from __future__ import annotations

import shutil
import sys

from tools.check_docs import documents
from tools.steps import MAKE, ROOT, finish, run, say


def main() -> None:
    sources = MAKE / "site-sources"
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    for document in documents(ROOT):
        if document.parent == ROOT:
            shutil.copy2(document, sources)
    if (ROOT / "docs").is_dir():
        shutil.copytree(ROOT / "docs", sources / "docs")
    run("site", [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean"])
    say(f"open {ROOT / 'site' / 'index.html'}")


if __name__ == "__main__":
    finish(main)
