"""krew's own validator on the manifest that was stamped: every platform of it, with the archives in dist/."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from controlplane.build import NotBuiltError, programs
from dist.installation import DIST

PUBLISHED = DIST / "krew-manifest.yaml"


@pytest.fixture(scope="session")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``validate-krew-manifest``, which krew-index runs on every change, beside the programs that it calls."""
    folder = tmp_path_factory.mktemp("validator")
    krew = programs("krew")
    (folder / "kubectl-krew").symlink_to(krew["krew"])
    (folder / "kubectl").symlink_to(kubectl())
    (folder / "validate-krew-manifest").symlink_to(krew["validate-krew-manifest"])
    return folder / "validate-krew-manifest"


def kubectl() -> Path:
    """The one that is built for the tests; where none is, as in the job that only stamps a manifest, the machine's."""
    try:
        return programs("kubernetes")["kubectl"]
    except NotBuiltError:
        found = shutil.which("kubectl")
        if found is None:
            raise
        return Path(found)


def validate(validator: Path, manifest: Path, home: Path) -> subprocess.CompletedProcess[str]:
    # it takes the plugin's name from the file's
    environment = {"PATH": str(validator.parent), "HOME": str(home), "KREW_NO_UPGRADE_CHECK": "1"}
    command = [validator, "-manifest", manifest]
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)


def test_krews_own_validator_installs_every_platform_from_the_manifest(
    built: Path, validator: Path, served: tuple[Path, str], tmp_path: Path
) -> None:
    # as krew-index does: every platform is downloaded, its sum compared, installed, a LICENSE looked for
    folder, address = served
    text = PUBLISHED.read_text("utf-8")
    addresses = [entry["uri"] for entry in yaml.safe_load(text)["spec"]["platforms"]]
    for each in addresses:
        name = each.rpartition("/")[2]
        shutil.copy(built / name, folder)
        text = text.replace(each, f"{address}/{name}")
    manifest = tmp_path / "llmfit.yaml"
    manifest.write_text(text, "utf-8")
    done = validate(validator, manifest, tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"all {len(addresses)} spec.platforms installed fine" in done.stderr


def test_krews_own_validator_refuses_another_archive_than_the_manifests(
    built: Path, validator: Path, served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, address = served
    text = PUBLISHED.read_text("utf-8")
    entry = yaml.safe_load(text)["spec"]["platforms"][0]
    (folder / "other.tar.gz").write_bytes((built / entry["uri"].rpartition("/")[2]).read_bytes() + b"more")
    manifest = tmp_path / "llmfit.yaml"
    manifest.write_text(text.replace(entry["uri"], f"{address}/other.tar.gz"), "utf-8")
    done = validate(validator, manifest, tmp_path)
    assert done.returncode != 0
    assert "checksum does not match" in done.stderr
