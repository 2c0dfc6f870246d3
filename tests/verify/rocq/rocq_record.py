"""The record results/rocq-verdicts.json: what Rocq proves of each shipped certificate, or why it is not covered."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from verify.certificates import statement_certificate
from verify.kernel import check
from verify.library import shipped
from verify.prover import prove as decide
from verify.rocq.certificate import MODULES, rocq_file
from verify.rocq.coqc import digest, library, prove
from verify.rocq.theorem import NotCoveredError
from verify.statements import STATEMENTS, about

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[3]
RECORD = ROOT / "results/rocq-verdicts.json"
STORED = ("results/necessity/certificates", "docs/certificates")


def stored() -> Iterator[tuple[str, Json]]:
    """Yield the path and the content of each committed certificate."""
    for folder in STORED:
        for path in sorted((ROOT / folder).glob("*.json")):
            yield str(path.relative_to(ROOT)), json.loads(path.read_text(encoding="utf-8"))


def computed(names: Iterable[str] | None = None) -> Iterator[tuple[str, Json]]:
    """Yield pairs: a name like "3.3 umbrella", and the certificate that `headproof verify` writes.

    With `names`, yield only certificates with one of these names.
    """
    for model, task in shipped():
        for statement in STATEMENTS.values():
            name = f"{statement.id} {model.name}"
            if about(statement, model) and (names is None or name in names):
                certificate = statement_certificate(decide(statement, model, task))
                if certificate is not None:
                    yield name, json.loads(json.dumps(certificate))


def entry(name: str, certificate: Json) -> tuple[Json, str | None]:
    """Return two things: a certificate's entry in the record, without Rocq's time; and its Rocq file, if covered."""
    sentence = check(json.dumps(certificate)).sentence()
    try:
        text = rocq_file(name, certificate, sentence)
    except NotCoveredError as missing:
        return {"digest": certificate["digest"], "not covered": str(missing)}, None
    file = sha256(text.encode()).hexdigest()
    return {"digest": certificate["digest"], "theorem": sentence, "file": f"sha256:{file}"}, text


def rules(text: str) -> set[str]:
    """Return the theorems of `formal/checker` that a file applies, and constructors of evidence, such as `SplitZ`."""
    return {*re.findall(r"apply: \((\w+)", text), *re.findall(r"\b[A-Z][a-zA-Z]*Z\b", text)}


def sample(seconds: dict[str, float], texts: dict[str, str]) -> list[str]:
    """Choose the names of certificates that together use every rule, trying the quickest first."""
    used, names = set[str](), list[str]()
    for name in sorted(seconds, key=lambda name: (seconds[name], name)):
        if not rules(texts[name]) <= used:
            names.append(name)
            used |= rules(texts[name])
    return sorted(names)


def read() -> Json:
    """Return the record, or an empty one."""
    document: Json = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return document


def record(report: Callable[[str], None], certificates: Iterable[tuple[str, Json]] | None = None) -> bool:
    """Let Rocq prove the certificates that have changed since the record was written, and write the record anew.

    Return whether Rocq proves all that its checker covers. An entry stays if its certificate, its Rocq file and
    the library are the same. `certificates`: by default all that ship.
    """
    folder, old = library(MODULES, report), read()
    old_entries = old["certificates"] if old.get("library") == digest(MODULES) else {}
    entries, texts = dict[str, Json](), dict[str, str]()
    for name, certificate in certificates or [*stored(), *computed()]:
        entries[name], text = entry(name, certificate)
        if text is not None:
            texts[name] = text
            if "seconds" in (old_entry := old_entries.get(name, {})) and old_entry | entries[name] == old_entry:
                entries[name] = old_entry
    todo = [name for name in texts if "seconds" not in entries[name]]
    report(f"{len(entries)} certificates, {len(texts)} of which the checker in Rocq covers; {len(todo)} to be proved")
    _write(entries, texts)
    rejected = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda name: prove(texts[name], folder, None), todo)
        for i, (name, answer) in enumerate(zip(todo, answers, strict=True), 1):
            report(f"{i} of {len(todo)}: {name}: {'proved' if answer.proved else answer.said}, {answer.seconds:.1f} s")
            rejected += not answer.proved
            if answer.proved:
                entries[name]["seconds"] = round(answer.seconds, 1)
                _write(entries, texts)
    return not rejected


def check_sample(report: Callable[[str], None]) -> bool:
    """Let Rocq prove the record's sample anew; return whether all are proved and their entries are as recorded."""
    folder, document = library(MODULES, report), read()
    names = set(document["sample"])
    items = [*(item for item in stored() if item[0] in names), *computed(names)]
    files = {name: entry(name, certificate) for name, certificate in items}
    recorded = document["certificates"]
    failures = [name for name in names if name not in files or recorded[name] | files[name][0] != recorded[name]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda file: prove(file[1] or "", folder, None), files.values())
        for name, answer in zip(files, answers, strict=True):
            if not answer.proved:
                failures.append(f"{name}: {answer.said}")
    for failure in failures:
        report(f"not as recorded: {failure}")
    report(f"{len(files)} certificates of the sample: {len(failures)} not as recorded")
    return not failures


def _write(entries: dict[str, Json], texts: dict[str, str]) -> None:
    """Write the finished entries, replacing the file in one step."""
    finished = {name: entry for name, entry in entries.items() if "seconds" in entry or "not covered" in entry}
    names = sample({name: entry["seconds"] for name, entry in finished.items() if "seconds" in entry}, texts)
    document = {"library": digest(MODULES), "sample": names, "certificates": finished}
    partial = RECORD.with_suffix(".partial")
    partial.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    partial.replace(RECORD)
