"""Certificates about one attention head of a memory model."""

import json
from typing import Any

from memory_certificates import Json, attention
from vanilla_certificates import certificate

RIGHT: Json = {"kind": "attention", "scale": "1"}


def head_claim(
    statement: str, the_model: Json, proof: Json, evidence: Any, conclusion: str = "holds", recoverable: Any = (0,)
) -> Json:
    """The certificate of a claim about the head and the prompt of `proof`."""
    claim = {"kind": "head", "statement": statement, "head": proof["head"], "prompt": proof["prompt"]}
    claim |= {"recoverable": list(recoverable), "conclusion": conclusion}
    plain: Json = json.loads(json.dumps(certificate(claim, the_model, evidence)))
    return plain


def mislabelled(*tokens: int) -> Json:
    return {"kind": "mislabelled", "input": list(tokens)}


def head(the_model: Json, prompt: Any, hidden: int = 0, **parts: Any) -> Json:
    """The evidence that `attention` returns, with some parts of its head replaced."""
    proof = attention(the_model, prompt, hidden)
    return proof | {"head": proof["head"] | parts}
