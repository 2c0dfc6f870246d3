"""The cases of 3.3 and 3.6 on an hmm-shape: section 12 of docs/certificate-format.md."""

from collections.abc import Iterator, Sequence
from itertools import product

from verify.kernel.base.exact import Work
from verify.kernel.shapes.cases import Case, Condition, Matrices, Name, Variables, inner, minor


def linear_case(n: int, k: int, witness: str, work: Work) -> Iterator[Case]:
    """That of 3.3, if there is one."""
    if n <= k:
        yield case({}, n, k, range(n), None, witness, work)


def prompted_cases(n: int, k: int, witness: str, work: Work) -> Iterator[Case]:
    """Those of 3.6, by the sizes of H*, of B, and of what they have in common."""
    for s, b in product(range(1, min(n, k) + 1), range(1, n + 1)):
        for o in range(max(0, b + s - n), min(b, s) + 1):
            if o == s < n:
                continue  # B contains H*: nothing leads out of H*, and the chain is not ergodic
            chosen = range(s - o, s - o + b)
            name: Name = {"prompt_states": list(chosen), "recoverable": list(range(s))}
            yield case(name, n, k, range(s), chosen, witness, work)


def case(name: Name, n: int, k: int, own: range, prompt: Sequence[int] | None, witness: str, work: Work) -> Case:
    """The models in which B = `prompt` leads to H* = `own`, or without a prompt all models."""
    take = Variables()
    m = Matrices(take.vector(n), take.matrix(n, n), take.matrix(k, n), take.vector(n))
    for h, f in product(range(n), prompt or ()):
        if h not in own:
            m.A[h][f] = {}
    p1 = [inner(row, m.p0, work) for row in m.A]
    conditions: list[Condition] = [minor(own, m.W, work)] if witness == "minor" else []
    conditions += [({"kind": "start", "state": h}, p) for h, p in enumerate(m.p0)]
    conditions += [({"kind": "first", "state": h}, p) for h, p in enumerate(p1)]
    if prompt is not None:
        c = [inner([row[f] for f in prompt], [p1[f] for f in prompt], work) for row in m.A]
        conditions += [({"kind": "reached", "state": h}, c[h]) for h in own]
    found = Case(name, m, conditions, own, own, work)
    found.prompt = prompt
    if witness == "equations":
        found.tie(take.matrix(len(own), k))
    found.variables = take.count
    return found
