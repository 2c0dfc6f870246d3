"""Decide whether statements are true of models: the prover, its certificates, and the command.

    from verify import verify
    verdict = verify("3.6", model, task)

Nothing is imported until it is needed, so that to import `verify.kernel` loads the standard library alone.

Here: the modules that lead from a statement to a certificate: `statement`, `statements`, `prover`, `conclusion`,
`built`, `verdicts`, `certificates`, `library`, `expectations`; and the functions for Python: `entry`, `workbench`,
`own_statement`, `comparison`, `outputs`. Not here: the work of the folders below, which docs/architecture.md draws.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.entry import verify as verify


def __getattr__(name: str) -> Any:
    """Import `verify.entry.verify` when it is first used."""
    if name != "verify":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import constructions  # noqa: F401 (before NumPy, whose threads it limits)
    from verify.entry import verify

    return verify
