"""Microseconds of one evaluation of a selector on one device: this program's CEL engine beside two other packages.

    python tests/bench/cel_speed.py [--rounds N]

The variable ``device`` is made once, of the classes that each package takes; nothing is remembered from one evaluation
to the next. The other packages come into an environment of their own, which is thrown away. They lack what Kubernetes
adds to CEL; quantities are whole numbers to them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from cel_peers import microseconds, quantity

from kubectl_llmfit.api.read import read_object
from kubectl_llmfit.api.values import ResourceSlice
from kubectl_llmfit.dra.environment import device_values
from kubectl_llmfit.dra.environment import selector as compiled

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
OURS = "kubectl-llmfit"
PEERS = ("cel-python", "cel-expr-python")
DRIVER = "llmfit.ai"
DEVICE = {
    "name": "gpu-0",
    "attributes": {
        "healthy": {"bool": True},
        "memoryBandwidthGBs": {"int": 3350},
        "type": {"string": "gpu"},
        "architecture": {"string": "Hopper"},
    },
    "capacity": {"memory": {"value": "80Gi"}},
}
CLASS = f"device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == 'gpu'"
OPTIONALS = (
    f"device.attributes['{DRIVER}'].?architecture.orValue('') in ['Ampere', 'Hopper'] && "
    f"device.attributes[?'{DRIVER}'].?memoryBandwidthGBs.orValue(0) >= 170 && "
    f"device.attributes['{DRIVER}'].?mode.optMap(m, m == 'mig').orValue(true)"
)


def claimed_selector() -> str:
    """What ``claim`` asks for a well-known model."""
    command = [sys.executable, "-m", "kubectl_llmfit", "claim", MODEL]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (request,) = yaml.safe_load(text)["spec"]["devices"]["requests"]
    (selector,) = request["exactly"]["selectors"]
    return str(selector["cel"]["expression"])


def plain_device() -> dict[str, Any]:
    """The device as JSON for packages that know no quantities."""
    kinds = DEVICE["attributes"], DEVICE["capacity"]
    attributes, capacity = ({name: next(iter(value.values())) for name, value in kind.items()} for kind in kinds)  # type: ignore[attr-defined]  # both are dicts of dicts
    return {
        "driver": DRIVER,
        "allowMultipleAllocations": False,
        "attributes": {DRIVER: attributes},
        "capacity": {DRIVER: {name: quantity(str(value)) for name, value in capacity.items()}},
    }


def our_figures(expressions: Mapping[str, str], rounds: int) -> dict[str, float]:
    """Ours, without the memo; SystemExit where a selector is not true."""
    spec = {"driver": DRIVER, "nodeName": "n", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}
    read = read_object(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "s"},
            "spec": {**spec, "devices": [DEVICE]},
        }
    )
    assert isinstance(read, ResourceSlice)
    variables = {"device": device_values(DRIVER, read.devices[0].shape)}
    figures: dict[str, float] = {}
    for name, text in expressions.items():
        program = compiled(text, stored=True).program
        if program is None or not program.matches(variables):
            sys.exit(f"error: {name} is not true of the device: {text}")
        figures[name] = microseconds(partial(program.matches, variables), rounds)
    return figures


def peer_figures(expressions: Mapping[str, str], rounds: int) -> dict[str, dict[str, float | str]]:
    """The other packages', or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS]
            subprocess.run(install, check=True, capture_output=True)
        except subprocess.CalledProcessError:
            return {package: dict.fromkeys(expressions, "not installed") for package in PEERS}
        asked = json.dumps({"expressions": dict(expressions), "device": plain_device(), "rounds": max(1, rounds // 10)})
        command = [str(python), str(Path(__file__).with_name("cel_peers.py"))]
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    figures: dict[str, dict[str, float | str]] = json.loads(done.stdout)
    return figures


def report(rounds: int) -> None:
    """A table: a row for each kind of selector, a column for each package."""
    expressions = {"claim's selector": claimed_selector(), "a class's selector": CLASS, "with optionals": OPTIONALS}
    figures = {OURS: our_figures(expressions, rounds), **peer_figures(expressions, rounds)}
    print(f"{'µs an evaluation':<20}" + "".join(f"{package:>18}" for package in figures))
    for name in expressions:
        shown = (figures[package][name] for package in figures)
        print(f"{name:<20}" + "".join(f"{'n/a' if isinstance(one, str) else f'{one:.1f}':>18}" for one in shown))
    for package in PEERS:
        for name, figure in figures[package].items():
            if isinstance(figure, str):
                print(f"n/a: {package}, {name}: {figure}")
    print(f"rounds {rounds}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def main() -> None:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=20_000)
    report(parser.parse_args().rounds)


if __name__ == "__main__":
    main()
