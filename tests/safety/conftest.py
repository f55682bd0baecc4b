"""What the tests with thousands of command lines share."""

from __future__ import annotations

from functools import cache

import pytest

from kubectl_llmfit import app

_group = cache(app.group)


@pytest.fixture
def _app_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make Typer's commands takes 10 ms, most of a command line that is refused; nothing in them changes."""
    monkeypatch.setattr(app, "group", _group)
