"""The estimators: each counts what a model needs of one device by rules of its own."""

from __future__ import annotations

from collections.abc import Callable

from . import llmfit
from .model import Model, Need, Target

Estimator = Callable[[Model, Target], Need]

ESTIMATORS: dict[str, Estimator] = {llmfit.NAME: llmfit.estimate}
"""Every estimator by the name that ``--estimator``, the annotation and the documents use."""

DEFAULT_ESTIMATOR = llmfit.NAME
