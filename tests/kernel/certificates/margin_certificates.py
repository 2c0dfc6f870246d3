"""Certificates of margins over all lengths: section 13 of docs/certificate-format.md."""

from typing import Any

from vanilla_certificates import model

SURE = model(mu=["1", "1"])  # every input has label 1, and b = (1, 1) scores 1


def margin(
    the_model: Any, b: Any, error: str, *nodes: Any, u: Any = None, ties: Any = False, left_out: str = "0", **rest: Any
) -> Any:
    claim = {"kind": "margin", "statement": "3.3" if u is None else "3.6", "head": {"b": b}}
    claim |= {"prompt": None if u is None else {"u": u}, "error": error, "ties": ties, "except": left_out} | rest
    parts = {"format": "headproof-certificate", "version": 2, "claim": claim, "model": the_model}
    return parts | {"evidence": {"kind": "margin", "nodes": list(nodes)}}
