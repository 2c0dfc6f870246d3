"""A fuzz target: `load` raises a one-line error, or reads a model that is the same when written and read back.

If `load` reads a model, the kernel checks a certificate against the same file: it accepts the certificate, or rejects
it with a one-line error.
"""

import json

from constructions.models import document, from_node, load
from constructions.reading import InputError
from constructions.text.documents import parse
from fuzz.bounds import ROOT, file, one_line
from verify import kernel

CERTIFICATE = (ROOT / "docs/certificates/section-3.1-constant-label.json").read_bytes()


def seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "models").glob("*.json")) if path.stat().st_size < 5000]


def read(data: bytes) -> None:
    try:
        model, task = load(file("model.json", data))
    except InputError as error:
        return one_line(str(error))
    assert from_node(parse(json.dumps(document(model, task)))) == (model, task)
    try:
        kernel.check(CERTIFICATE, data)
    except kernel.Rejected as error:
        one_line(str(error))
