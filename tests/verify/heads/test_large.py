"""3.3 and 3.6 on models with too many states to write a left inverse: the certificate has a minor modulo a prime."""

import json

from constructions import assumptions
from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS


def test_above_some_states_3_1_takes_a_few_bytes() -> None:
    """The model has one state more than the limit. State h emits tokens h and h + 1 (mod n), each with 1/2."""
    n = assumptions.WRITTEN + 1
    A = "; ".join(" ".join([f"1/{n}"] * n) for _ in range(n))
    W = "; ".join(" ".join("1/2" if z in (h, (h + 1) % n) else "0" for h in range(n)) for z in range(n))
    model = HMM.of(" ".join([f"1/{n}"] * n), A, W)
    task = Task((tuple(model.initial[0] * h - model.initial[1] for h in range(n)),))
    for statement, assumption in (("3.3", "3.1"), ("3.6", "3.5")):
        certificate = statement_certificate(prove(STATEMENTS[statement], model, task))
        assert certificate is not None
        assert len(json.dumps(certificate["evidence"]["assumptions"][assumption])) < 20 * n  # type: ignore[index]
