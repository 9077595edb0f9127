"""The browser that the tests drive: the one that the machine has, or its package manager's Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-for-testing",
    "microsoft-edge",
)
MAC_APPLICATIONS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
)

# Headless, drawing in software, and silent on the network.
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]


def _candidates() -> Iterator[str]:
    named = os.environ.get("MAROTTE_CHROMIUM")
    if named:
        yield named
        return
    for name in NAMES:
        found = shutil.which(name)
        if found:
            yield found
    for application in MAC_APPLICATIONS:
        path = Path("/Applications") / application
        if path.exists():
            yield str(path)


def _answers(path: str) -> bool:
    """Whether it starts: on some systems the name is only a hint to install something."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def find_browser() -> Path | None:
    """Where a Chromium stands: what MAROTTE_CHROMIUM names, else the first on PATH that starts."""
    return next((Path(path) for path in _candidates() if _answers(path)), None)


def install_commands() -> list[list[str]]:
    """How this machine's package manager would install one; empty where we may not."""
    if sys.platform == "darwin":
        return [["brew", "install", "--cask", "chromium"]] if shutil.which("brew") else []
    return apt_commands("chromium")


def apt_commands(*packages: str) -> list[list[str]]:
    """How packages of Debian and Ubuntu are installed; empty where that is not possible or not ours to do."""
    if not shutil.which("apt-get"):
        return []
    if os.geteuid() == 0:
        prefix: list[str] = []
    elif shutil.which("sudo") and not subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
        prefix = ["sudo", "-n"]
    else:
        return []
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    return [[*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", *packages]]
