"""Altering a certificate at a place, signing it anew, and asking the kernel about it."""

import copy
import hashlib
import json
from typing import Any

import pytest

from verify.kernel import Claim, Rejected, check

Json = dict[str, Any]
PROOF = "evidence/conclusion"
GONE = object()
JUNK: list[Any] = [
    *(None, True, False, 0, 1, -1, 10**17, "", "x", "0", "1/2"),
    *([], [[]], {}, {"kind": "x"}, [None], [0], {"b": []}),
]


def signed(body: Json) -> Json:
    body = {key: value for key, value in copy.deepcopy(body).items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**body, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def altered(document: Json, path: str, value: Any) -> Json:
    """The certificate with this value at a path such as evidence/conclusion/nodes/0, and with the right digest.

    The value `GONE` removes what is at the path.
    """
    document = copy.deepcopy(document)
    *parents, last = [int(key) if key.isdigit() and path[:7] != "claim/l" else key for key in path.split("/")]
    inner: Any = document
    for key in parents:
        inner = inner[key]
    if value is GONE:
        del inner[last]
    else:
        inner[last] = value
    return signed(document)


def accepted(document: Json, model_text: str | None = None) -> Claim:
    return check(json.dumps(document), model_text)


def rejection(document: Json, model_text: str | None = None) -> Rejected:
    with pytest.raises(Rejected) as caught:
        check(json.dumps(document), model_text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    return caught.value


def check_place(document: Json, where: str | None, model_text: str | None = None) -> None:
    """Assert that the kernel rejects at the place `where`, or accepts if `where` is None."""
    if where is None:
        accepted(document, model_text)
    else:
        assert rejection(document, model_text).where == where


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    paths = [path]
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        paths += places(inner, (*path, key))
    return paths


def answer(document: Json, path: tuple[Any, ...], junk: Any) -> str:
    """What the kernel says of a certificate with junk at one of its places: the claim, or why it is rejected."""
    changed = json.loads(json.dumps(document))
    inner: Any = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    try:
        return accepted(changed if path[0] == "digest" else signed(changed)).sentence()
    except Rejected as error:
        return str(error)
