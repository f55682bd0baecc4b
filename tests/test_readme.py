"""What README and the pages beside it show is what the program does.

A ``console`` block is one command and its output, stdout and stderr as a terminal shows them. The environment
variable KUBECTL_LLMFIT_UPDATE_GOLDEN=1 rewrites the outputs, and docs/commands.md, instead.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from documents import BLOCK, PAGES, README, ROOT, blocks, links, text_of
from kubectl_llmfit.app import COMMANDS, group, help_text, outline

UPDATE = bool(os.environ.get("KUBECTL_LLMFIT_UPDATE_GOLDEN"))
REFERENCE = ROOT / "docs" / "commands.md"
SHOWN = blocks()


def printed(command: str) -> str:
    """What a terminal shows of a command run in the checkout: both streams, in their order."""
    program = command.replace("kubectl llmfit", str(ROOT / "kubectl-llmfit"), 1)
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    process = subprocess.run(
        program, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return process.stdout.decode("utf-8")


@pytest.mark.parametrize(("page", "command"), SHOWN, ids=[command for _, command in SHOWN])
def test_a_command_prints_what_the_page_shows(page: Path, command: str) -> None:
    text = text_of(page)
    block = next(match for match in BLOCK.finditer(text) if match["command"] == command)
    output = printed(command)
    if UPDATE:
        page.write_text(text[: block.start("output")] + output + text[block.end("output") :], encoding="utf-8")
    else:
        assert output == block["output"]


def test_both_main_commands_are_shown_in_readme() -> None:
    in_readme = [command for page, command in SHOWN if page == README]
    assert any(command.startswith("kubectl llmfit claim ") for command in in_readme)
    assert any(command.startswith("kubectl llmfit check-nodes ") for command in in_readme)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_readme(name: str) -> None:
    assert re.search(rf"(`|kubectl llmfit ){name}\b", text_of(README))


def test_the_reference_of_commands_is_their_own_help() -> None:
    commands = group()
    parts = ["# Commands\n\nWhat `kubectl llmfit COMMAND --help` prints.\n"]
    for name in ("", *COMMANDS):
        told = help_text(commands if name else outline(), "kubectl llmfit", name)
        parts.append(f"\n## {name or 'kubectl llmfit'}\n\n```text\n{told}```\n")
    wanted = "".join(parts)
    if UPDATE:
        REFERENCE.write_text(wanted, encoding="utf-8")
    else:
        assert text_of(REFERENCE) == wanted


@pytest.mark.parametrize(("page", "target"), links())
def test_a_link_leads_to_a_file(page: str, target: str) -> None:
    assert ((ROOT / page).parent / target.partition("#")[0]).exists()


def test_figures_in_readme_are_those_of_the_data() -> None:
    from kubectl_llmfit.catalog import open_catalog
    from kubectl_llmfit.drivers.products import builtin_table
    from kubectl_llmfit.drivers.registry import PROFILES

    text = " ".join("".join(map(text_of, PAGES)).split())
    assert f"{len(open_catalog(environ={}).names('')):,} models" in text
    assert f"table of {len(builtin_table().products)} products" in text
    assert f"each of {len(PROFILES)} drivers" in text
    silent = sum(profile.inexpressible is not None for profile in PROFILES)
    assert silent == 8
    assert f"Eight of the {len(PROFILES)} drivers publish nothing" in text


def test_make_demo_runs_the_main_job_and_leaves_the_tree_clean() -> None:
    before = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    demo = subprocess.run(["make", "demo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert demo.returncode == 0, demo.stderr
    assert "kind: ResourceClaim" in demo.stdout
    verdicts = {line.split()[1] for line in demo.stdout.splitlines() if line.startswith("gpu-")}
    assert verdicts == {"Fits", "InUse", "NoFit", "Error,SchedulingDisabled"}
    after = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert after.stdout == before.stdout
