"""Claims about one head: sections 3, 7 and 10 of docs/certificate-format.md."""

from verify.kernel.base.item import Item
from verify.kernel.claims import Claim
from verify.kernel.hmm import linear_heads
from verify.kernel.hmm.model import Model
from verify.kernel.memory import attention_heads
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.supports import read_case
from verify.kernel.model_file import HMM, MEMORY
from verify.kernel.statements import theorems


def check_head(claim: dict[str, Item], evidence: Item, model: Model | MemoryModel) -> Claim:
    """A claim about one head; about a linear one, it is never vacuous."""
    memory = isinstance(model, MemoryModel)
    statement = claim["statement"].one_of(*theorems(MEMORY if memory else HMM))
    conclusion = claim["conclusion"].one_of("holds", "fails")
    parts = claim["head"], claim["prompt"], evidence, conclusion
    if not isinstance(model, MemoryModel):
        lengths = linear_heads.check_this_head(statement, *parts, model)
        return Claim("head", statement, conclusion, model.name, lengths=lengths)
    case = read_case(claim["recoverable"], True, model)
    empty, lengths = attention_heads.check_this_head(statement, *parts, case)
    return Claim(
        kind="head",
        statement=statement,
        conclusion=conclusion,
        model_name=model.joint.name,
        vacuous=empty or None,
        lengths=lengths,
        recoverable=tuple(case.recoverable),
    )
