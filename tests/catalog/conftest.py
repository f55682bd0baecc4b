"""The shipped catalogue and the real llmfit program, for the tests of this folder."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kubectl_llmfit.catalog import Catalog, open_catalog
from kubectl_llmfit.catalog.packaged import PackagedStore, open_packaged

ROOT = Path(__file__).parents[2]

Entry = dict[str, Any]
RunLlmfit = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def hatch_build() -> ModuleType:
    """The build hook's module, loaded from the root of the checkout."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def store(hatch_build: ModuleType) -> Iterator[PackagedStore]:
    """The shipped list, built if it is not there or not of today's recipe."""
    hatch_build.build(ROOT)
    store = open_packaged()
    yield store
    store.close()


@pytest.fixture
def catalog(store: PackagedStore, tmp_path: Path) -> Iterator[Catalog]:
    """The catalogue of a user who has no models of their own."""
    catalog = open_catalog(environ={"HOME": str(tmp_path)})
    yield catalog
    catalog.close()


@pytest.fixture(scope="session")
def run_llmfit(hatch_build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> RunLlmfit:
    """Runs the real program with exactly the variables that are given, and an empty home."""
    program = hatch_build.find_program()
    empty_home = tmp_path_factory.mktemp("home")

    def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *arguments],
            env={"PATH": "/usr/bin:/bin", "HOME": str(empty_home)} | environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


@pytest.fixture(scope="session")
def llmfit_list(run_llmfit: RunLlmfit) -> list[Entry]:
    """What the real program lists for a user who has no models of their own."""
    listed: list[Entry] = json.loads(run_llmfit("list", "--json").stdout)
    return listed


@pytest.fixture
def entry() -> Entry:
    """The least that llmfit takes for a model."""
    return {
        "name": "my-org/Zebra-9B",
        "provider": "my-org",
        "parameter_count": "9B",
        "min_ram_gb": 5.0,
        "recommended_ram_gb": 8.0,
        "quantization": "Q4_K_M",
        "context_length": 32768,
        "use_case": "General chat",
    }
