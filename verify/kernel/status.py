"""What a claim about a statement says of itself: section 3 of docs/certificate-format.md."""

from verify.kernel.base.reading import Item, Rejected


def supplied(evidence: Item, wanted: bool) -> bool:
    """Whether there is evidence: exactly where the claim wants it."""
    if wanted != (evidence.value is not None):
        raise evidence.expected("evidence for the claim" if wanted else "null, as the claim does not need it")
    return wanted


def check_truths(names: tuple[str, ...], claimed: Item) -> dict[str, bool | None]:
    """Which assumptions are said to hold (true), to be violated (false), or not to be decided (null)."""
    values = claimed.fields(*names)
    return {name: values[name].truth() for name in names}


def check_status(claim: dict[str, Item], held: dict[str, bool | None], conclusion: str) -> str:
    """The status follows from the assumptions and the conclusion, where there is one."""
    if False in held.values():
        return claim["status"].one_of("not-applicable")
    if None in held.values():
        raise Rejected(claim["assumptions"].where, "null without a false", "one violated, or all decided")
    if conclusion == "undecided":
        raise claim["conclusion"].expected("a decision, since all assumptions hold")
    return claim["status"].one_of("proved" if conclusion == "holds" else "refuted")
