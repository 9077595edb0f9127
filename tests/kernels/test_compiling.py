"""What takes long to compile says so, once a machine: a command that stands still looks broken."""

from __future__ import annotations

import logging

import pytest

from marotte import kernels
from marotte.kernels.compiling import Kernel


def test_long_compiling_is_told_once(tmp_path, monkeypatch, caplog):
    if kernels.compiling._config.DISABLE_JIT:
        pytest.skip("nothing is compiled here")
    monkeypatch.setenv("MAROTTE_CACHE_DIR", str(tmp_path))
    known = kernels.limits.hold_one
    with caplog.at_level(logging.INFO, logger="marotte"):
        Kernel(known.function, known.signature).compile()
        assert [record.message for record in caplog.records] == [
            "compiling limits.hold_one for this machine, which is done once"
        ]
        Kernel(known.function, known.signature).compile()
    assert len(caplog.records) == 1
