"""The weakest condition under which the identity behind 3.3, and 3.6 for a given prompt, can be met.

The proofs of both theorems make the head's scores equal the task's on every input, up to a positive scale: with c =
P[H_1] for 3.3 and c = A(u o P[H_1]) behind a prompt u, they look for b with

    b'W diag(c) v = mu' diag(P[H_0]) v    for every v in V, the span of the beta(x) over all inputs x.

By linear algebra there is such a b iff the task vanishes on the kernel: no v in V has W diag(c) v = 0 and mu'
diag(P[H_0]) v != 0. Such a v is an *obstruction*. The paper's assumptions ask for more, in three steps:

- V is replaced by all of R^n, which holds for every chain with the same W, P[H_0] and c;
- this mu is replaced by every mu with its support: each h in supp(mu) is 0 in all of the kernel (on R^n: its column is
  a coloop of W[:,H*], H* = supp(c));
- supp(mu) is replaced by everything: the kernel is 0 (3.1), or on R^n has no v that is not 0 on H* (3.5).

An obstruction refutes no head: one may match all signs and meet no identity. Where there is none the head's certificate
has the identity on R^n or on V (`docs/certificate-format.md`, section 5), and the kernel checks it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from constructions import theorem_3_6
from constructions.assumptions import Cover
from constructions.evidence import Json
from constructions.heads import SoftPrompt
from constructions.linear import (
    Matrix,
    Vector,
    combine,
    dot,
    echelon,
    identity,
    minus,
    null_basis,
    primitive,
    transpose,
)
from constructions.models import HMM
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.heads.linear import by_identity, prompts
from verify.words.problem import Problem
from verify.words.reachable import reachable


@dataclass(frozen=True)
class Condition:
    """Can the identity be met on a space of vectors v, all of R^n or V?

    `dimension` of the space; `kernel`, the dimension of W diag(c) v = 0 in it; `unseen`, that of the part of the kernel
    on which the task is 0. `every_mu`: it can be met for every mu with this support. `obstruction`: a v of the kernel
    that the task sees, or None.
    """

    dimension: int
    kernel: int
    unseen: int
    every_mu: bool
    obstruction: Vector | None

    @property
    def met(self) -> bool:
        """Whether some b meets the identity on the space."""
        return self.obstruction is None

    @property
    def document(self) -> Json:
        """The condition as JSON; the obstruction stands beside it."""
        return {name: getattr(self, name) for name in ("dimension", "kernel", "unseen", "every_mu", "met")}


@dataclass(frozen=True)
class Weakest:
    """The condition on R^n (`everywhere`) and on V (`on_inputs`), for a prompt or none; the head if it is met."""

    prompt: SoftPrompt | None
    everywhere: Condition
    on_inputs: Condition
    holds: Conclusion | None


def weakest(problem: Problem, prompt: SoftPrompt | None) -> Weakest:
    """Decide the condition for a prompt, or for none (3.3)."""
    return Weakest(prompt, *conditions(problem, prompt), by_identity(problem, [prompt]))


def weakest_prompted(problem: Problem, cover: Cover | None) -> Weakest:
    """Decide the condition for 3.6: for the first of some prompts that meets it, or else for the first of them.

    First comes that of 3.5, if it holds, and then the indicators of all states, of covers of supp(mu), of small sets.
    """
    tried = [] if cover is None else [theorem_3_6.indicator(cover.prompt_states, problem.states)]
    tried += prompts(problem, problem.effort.prompts)
    return weakest(problem, next((one for one in tried if conditions(problem, one)[1].met), tried[0]))


def conditions(problem: Problem, prompt: SoftPrompt | None) -> tuple[Condition, Condition]:
    """Decide whether the identity can be met on R^n, and whether on V."""
    spaces = identity(problem.states), _span(problem.model)
    everywhere, on_inputs = zip(spaces, kernels(problem.model, prompt), strict=True)
    return _condition(problem, *everywhere), _condition(problem, *on_inputs)


@lru_cache(maxsize=256)  # the tasks on one model follow each other
def kernels(model: HMM, prompt: SoftPrompt | None) -> tuple[Matrix, Matrix]:
    """Return a basis of the kernel on R^n, and on V: they depend on the model alone, and not on the task."""
    outputs = _any_task(model).features(prompt)
    return _kernel(outputs, identity(len(model.states))), _kernel(outputs, _span(model))


@lru_cache(maxsize=4)
def _span(model: HMM) -> Matrix:
    """Return a basis of V."""
    return reachable(_any_task(model)).inputs.basis


def _any_task(model: HMM) -> Problem:
    return Problem(model, Task(((Fraction(1),) * len(model.states),)))


def _kernel(matrix: Matrix, basis: Matrix) -> Matrix:
    """Return a basis of the vectors in the span of a basis that a matrix takes to 0, as coprime integers."""
    if not basis:
        return ()
    images = transpose([combine(vector, transpose(matrix)) for vector in basis])
    return tuple(primitive(combine(weights, basis)) for weights in null_basis(images))


def _condition(problem: Problem, space: Matrix, kernel: Matrix) -> Condition:
    first, *others = problem.task_functionals
    seen = [[dot(minus(row, first), v) for row in others] for v in kernel]
    return Condition(
        dimension=len(space),
        kernel=len(kernel),
        unseen=len(kernel) - len(echelon(seen)[0]),
        every_mu=not any(v[h] for v in kernel for h in problem.task.support),
        obstruction=next((v for v, scores in zip(kernel, seen, strict=True) if any(scores)), None),
    )
