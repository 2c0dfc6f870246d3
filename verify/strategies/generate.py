"""Random models for `headproof generate`: models of the paper's appendix D, or models that meet or violate assumptions.

Models that meet or violate assumptions are examples of the strategies in `verify.strategies`. With one version of
Hypothesis, a seed always gives the same models. The first examples of a run are the simplest, so the last are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

import click

from constructions.appendix_d import appendix_d as draw_appendix_d
from constructions.models import HMM, Model, save
from constructions.reading import InputError
from constructions.system.packages import needs
from constructions.system.writing import safe_name
from constructions.tasks import Task

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Problem: TypeAlias = tuple[HMM, Task]

MAX_SIZE = 40
"""The most states, and the most tokens, in models that Hypothesis draws. It fails to draw much larger models."""

IDS = ("3.1", "3.2", "3.2:ergodic", "3.2:full-support", "3.5")


def generate(
    appendix_d: bool,
    satisfying: Sequence[str],
    violating: str | None,
    states: int | None,
    tokens: int | None,
    seed: int,
    count: int,
    denominator: int | None,
) -> list[Problem]:
    """Draw `count` pairs of a model and a task: of appendix D, or chosen by assumptions, no pair twice.

    `satisfying`: the ids (`IDS`) of assumptions that each model meets. `violating`: the id of one that each model
    violates. `states`, `tokens`: the sizes; None stands for 8 and 10 with `appendix_d`, else for 3 and 3. `seed`: with
    `appendix_d`, the seed of the first model (the next have seed + 1, ...); else that of the whole run. `denominator`,
    with `appendix_d` alone: probabilities are multiples of 1/denominator; None stands for 10^6.

    Raises `click.UsageError` if the arguments contradict each other or no model fits them. With `appendix_d`, raises
    `InputError` for the arguments for which `constructions.appendix_d.appendix_d` raises it. Without `appendix_d`,
    raises `InputError` if too few models were found, the sizes are too large, or Hypothesis is not installed.
    """
    if appendix_d == bool(satisfying or violating):
        raise click.UsageError("either --appendix-d or --satisfying, --violating is needed")
    if appendix_d:
        states, tokens = states or 8, tokens or 10
        drawn = ((i, draw_appendix_d(states, tokens, i, denominator or 10**6)) for i in range(seed, seed + count))
        return [(replace(model, name=f"appendix-d-{states}x{tokens}-seed-{i}"), task) for i, (model, task) in drawn]
    if denominator is not None:
        raise click.UsageError("--denominator goes with --appendix-d")
    states, tokens = states or 3, tokens or 3
    for option, size in (("--states", states), ("--tokens", tokens)):
        if size > MAX_SIZE:
            raise InputError(option, str(size), f"at most {MAX_SIZE}, unless with --appendix-d")
    if violating is not None and "3.5" in satisfying:
        raise click.UsageError("--satisfying 3.5 goes with no --violating")
    needs("strategies", "hypothesis")
    from verify.strategies import vanilla

    try:
        if violating is not None:
            strategy = vanilla.problems_violating(violating, satisfying, states=states, tokens=tokens)
        else:
            strategy = vanilla.problems_satisfying(satisfying[0], satisfying, states=states, tokens=tokens)
    except ValueError as error:  # the argument, and why it cannot be
        raise click.UsageError(f"no such models: {error}") from None
    problems = _draw(strategy, seed, count)
    if len(problems) < count:
        raise InputError("--count", str(count), f"at most {len(problems)}: no more such models were found")
    conditions = ["satisfying", *satisfying] if satisfying else []
    conditions += ["violating", violating] if violating else []
    label = "-".join([*conditions, f"{states}x{tokens}", "seed", str(seed)]).replace(":", "-")
    source = f"Drawn by headproof generate: {' '.join(conditions)}, {states} states, {tokens} tokens, seed {seed}."
    names = [label] if count == 1 else [f"{label}-{number}" for number in range(1, count + 1)]
    return [
        (replace(model, name=name, source=source), task) for name, (model, task) in zip(names, problems, strict=True)
    ]


def write(problem: tuple[Model, Task], folder: Path, name: str | None = None) -> Path:
    """Write a model with its task to `folder`/NAME.json; return the path. NAME: `name`, or made of the model's name."""
    return save(*problem, folder / f"{name or safe_name(problem[0].name, set())}.json")


def _draw(strategy: SearchStrategy[Problem], seed: int, count: int) -> list[Problem]:
    """Return the last `count` different examples of one run, or all of them if there are fewer."""
    import hypothesis
    from hypothesis import HealthCheck, Phase
    from hypothesis.configuration import set_hypothesis_home_dir

    problems: dict[Problem, None] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=10 + 3 * count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(strategy)
    def run(problem: Problem) -> None:
        problems.setdefault(problem)

    with TemporaryDirectory() as folder:  # for what Hypothesis stores, and not the folder that the command runs in
        set_hypothesis_home_dir(folder)
        try:
            run()
        finally:
            set_hypothesis_home_dir(None)
    return list(problems)[-count:]
