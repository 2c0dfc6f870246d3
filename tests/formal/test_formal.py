"""The proofs in Rocq, their record, their page and the table of statements fit together. Most tests need no Rocq."""

import re
import shutil
from pathlib import Path

import pytest

from formal.__main__ import CLOSED, MISSING, PAGE, RECORD, built, check, compile_all, main, record
from formal.page import page
from formal.slips import SLIPS, Slip, planted
from formal.sources import HERE, TAG, FormalError, files, in_all, named_theorems, offences, sentences
from verify.report.paper import nodes
from verify.statements import STATEMENTS

FORMAT = HERE.parent / "docs" / "certificate-format.md"
with_rocq = pytest.mark.skipif(not shutil.which("coqc"), reason="there is no coqc")

SAMPLE = {
    "_CoqProject": "-Q . Headproof\ndefinitions/order.v\nstatements/theorems.v\nproofs/order.v\n",
    "definitions/order.v": "(** Orders. *)\nDefinition same (n m : nat) : Prop := n = m.\n",
    "statements/theorems.v": """(** What is proved. *)
From Headproof Require Import definitions.order.
(** The other way. *)
Definition turned_around (n m : nat) : Prop := m = n.
(** [3.3, A.1] Turned around.
    Stronger than in the paper: for all. *)
Definition theorem_3_3 : Prop := forall n m : nat, (* not "*)" here *) same n m -> turned_around n m.
""",
    "proofs/order.v": """(** Proofs. *)
From Headproof Require Import definitions.order statements.theorems.
Theorem turned : theorem_3_3.
Proof. exact (fun n m => @eq_sym nat n m). Qed.
Section S.
Variable k : nat.
(** [not C.9] A refutation. *)
Theorem no_successor : ~ (forall n, k = n).
Proof. intro all; generalize (all (S k)); apply n_Sn. Qed.
End S.
""",
}


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    for name, text in SAMPLE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def edited(folder: Path, file: str, old: str, new: str) -> Path:
    source = (folder / file).read_text(encoding="utf-8")
    assert old in source
    (folder / file).write_text(source.replace(old, new), encoding="utf-8")
    return folder


# The project's own files.


def test_each_statement_of_the_paper_has_a_theorem_or_a_refutation() -> None:
    ids = {key.removeprefix("not ") for theorem in named_theorems() for key in theorem.ids}
    assert {key for key, node in nodes().items() if node.statement and node.place} - ids == set()


def test_what_is_true_of_every_model_is_a_theorem_by_the_name_that_people_read() -> None:
    named = {theorem.name: theorem.ids for theorem in named_theorems()}
    theorem_names = {key: statement.of_every_model for key, statement in STATEMENTS.items() if statement.of_every_model}
    assert [key for key, name in theorem_names.items() if key not in named.get(name, ())] == []


def test_what_is_false_as_written_is_refuted_by_the_theorem_that_it_names() -> None:
    named = {theorem.name: theorem.ids for theorem in named_theorems()}
    refuted = {key: statement.refuted_by for key, statement in STATEMENTS.items() if statement.refuted_by}
    assert refuted
    assert [key for key, name in refuted.items() if f"not {key}" not in named.get(name, ())] == []


def test_each_id_is_of_a_statement_a_rule_or_a_definition() -> None:
    ids = [key.removeprefix("not ") for theorem in named_theorems() for key in theorem.ids]
    strange = [key for key in ids if key.partition(":")[0].partition(" ")[0] not in {*STATEMENTS, "rule", "definition"}]
    assert strange == []


def test_the_rules_of_the_certificate_format_have_their_theorems_in_their_sections() -> None:
    """Section 2 of the format page names the theorems marked "[rule 2 ...]" in Rocq, and so on for each section.

    The page names no other `rule_...`.
    """
    there = set()
    for section in re.split(r"^## (?=\d+\. )", FORMAT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        there |= {(section.partition(".")[0], name) for name in re.findall(r"`(rule_\w+)`", section)}
    ids = [(key.split(), theorem.name) for theorem in named_theorems() for key in theorem.ids]
    rules = {(words[1], name) for words, name in ids if words[0] == "rule"}
    assert rules <= there
    assert {name for _, name in there} == {name for _, name in rules}


def test_names_of_theorems_are_distinct_and_none_is_overlooked() -> None:
    names = [theorem.name for theorem in named_theorems()]
    assert len(set(names)) == len(names)
    comments = {comment for _, sentence in in_all(HERE) for comment in sentence.comments}
    assert all(TAG.match(comment) for comment in comments if re.match(r"\(\*\*\s*\[[^]]*[0-9]", comment))


def test_nothing_is_assumed() -> None:
    assert offences() == []


def test_the_record_has_each_theorem_closed_and_the_sum_of_each_file() -> None:
    theorems = named_theorems()
    assert RECORD.read_text(encoding="utf-8") == record(theorems, [CLOSED] * len(theorems))


def test_the_page_says_what_the_files_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(named_theorems())


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_a_slip_can_be_planted(slip: Slip) -> None:
    assert planted(slip, lambda copy: None) == ""
    assert slip.file in files()


# A small project.


def test_a_statement_is_read_with_its_proof(sample: Path) -> None:
    theorem, refutation = named_theorems(sample)
    assert (theorem.ids, theorem.name, theorem.says) == (("3.3", "A.1"), "turned", "Turned around.")
    assert theorem.proof == "Headproof.proofs.order.turned"
    assert (refutation.ids, refutation.statement) == (("not C.9",), None)


def test_the_page_has_a_row_for_each_theorem(sample: Path) -> None:
    index = page(named_theorems(sample))
    assert '| 3.3, A.1 | <a id="turned"></a>`turned` | Turned around. |' in index
    assert "[formal/proofs/order.v](../formal/proofs/order.v)" in index


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Lemma a : b. Proof. c. Qed.", ["Lemma a : b", "Proof", "c", "Qed"]),
        ("(* Axiom a : b. (* c. *) d. *) e.", ["e"]),
        ('(* " *) Axiom a : b. (* " *) c.', ["c"]),
        ('(* a *) Axiom b : c. (* d *) "(*" e.', ["Axiom b : c", '"(*" e']),
        ("exists x.1; y.-1. move=> {}h.\nexact: h.", ["exists x.1; y.-1", "move=> {}h", "exact: h"]),
        ('Notation "[ a ; .. ; b ]" := (c a .. (c b d) ..).', ['Notation "[ a ; .. ; b ]" := (c a .. (c b d) ..)']),
    ],
)
def test_a_file_is_split_as_rocq_splits_it(source: str, expected: list[str]) -> None:
    texts = [sentence.text.strip() for sentence in sentences(source)]
    assert [text for text in texts if text] == expected


@pytest.mark.parametrize(
    ("planted", "offence"),
    [
        ("Lemma a : 0 = 1.\nProof.\nAdmitted.", "proofs/order.v:13: Admitted"),
        ("Lemma a : 0 = 1.\nProof. admit. Abort.", "proofs/order.v:12: admit"),
        ("(* only a *) Axiom (* comment *) a : 0 = 1.", "proofs/order.v:11: Axiom"),
        ('(* "*)" *) #[local] Parameter a : 0 = 1.', "proofs/order.v:11: Parameter"),
        ("Conjecture a : 0 = 1.", "proofs/order.v:11: Conjecture"),
        ("Hypothesis a : 0 = 1.", "proofs/order.v:11: Hypothesis"),
        ("Section T.\nEnd T. Variables a b : nat.", "proofs/order.v:12: Variables"),
        ("Unset  Guard Checking.", "proofs/order.v:11: Unset  Guard Checking"),
        ("Section T.\nVariable a : nat.\nAxiom b : a = a.\nEnd T.", "proofs/order.v:13: Axiom"),
    ],
)
def test_what_is_assumed_is_found(sample: Path, planted: str, offence: str) -> None:
    assert offences(sample) == []
    edited(sample, "proofs/order.v", "End S.\n", f"End S.\n{planted}\n")
    assert offences(sample) == [offence]


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("proofs/order.v", "Theorem turned : theorem_3_3", "Theorem turned : True", "theorem_3_3 has no proof"),
        ("proofs/order.v", "(** [not C.9] A refutation. *)\nTheorem", "Theorem", None),
        ("proofs/order.v", "Theorem no", "Definition a := 0.\nTheorem no", "stands below [not C.9]"),
        ("_CoqProject", "proofs/order.v\n", "", "proofs/order.v: not in _CoqProject"),
        ("_CoqProject", "-Q . Headproof", "-Q . Headproof\n-arg -type-in-type", "what is '-arg -type-in-type'?"),
    ],
)
def test_what_cannot_be_listed_is_refused(sample: Path, file: str, old: str, new: str, complaint: str | None) -> None:
    edited(sample, file, old, new)
    if complaint is None:
        assert len(named_theorems(sample)) == 1
        return
    with pytest.raises(FormalError) as refused:
        named_theorems(sample)
    assert complaint in str(refused.value)


def test_a_changed_file_changes_the_record(sample: Path) -> None:
    theorems = named_theorems(sample)
    before = record(theorems, [CLOSED] * 2, sample)
    edited(sample, "proofs/order.v", "Proofs.", "The proofs.")
    assert record(theorems, [CLOSED] * 2, sample) != before


def test_without_rocq_two_lines_say_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["build"]) == main(["check"]) == 2
    assert capsys.readouterr().err == f"{MISSING}\n" * 2
    assert len(MISSING.split("\n")) == 2


# What only Rocq can tell.


@with_rocq
def test_theorems_without_axioms_are_closed(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theorems, written = built(sample)
    assert written == record(theorems, [CLOSED] * 2, sample)
    assert f"3.3, A.1  turned  {CLOSED}" in capsys.readouterr().out
    check(sample)


@pytest.mark.thorough(reason="a library is compiled against, and coqchk: 2 s; without axioms it is quick")
@with_rocq
def test_an_axiom_from_a_library_is_found(sample: Path) -> None:
    edited(sample, "proofs/order.v", "From Headproof", "From Coq Require Import RelationalChoice.\nFrom Headproof")
    edited(sample, "proofs/order.v", "intro all;", "pose relational_choice as choice; intro all; ")
    assert offences(sample) == []
    with pytest.raises(FormalError, match="not closed under the global context: no_successor"):
        built(sample)
    with pytest.raises(FormalError, match="coqchk"):
        check(sample)


@with_rocq
def test_a_proof_of_something_else_of_that_name_is_found(sample: Path) -> None:
    edited(sample, "proofs/order.v", "Theorem turned", "Definition theorem_3_3 : Prop := True.\nTheorem turned")
    edited(sample, "proofs/order.v", "(fun n m => @eq_sym nat n m)", "I")
    with pytest.raises(FormalError, match="theorem_3_3"):
        built(sample)


@pytest.mark.thorough(reason="three compilations: 2 s; a proof of something else is quick")
@with_rocq
def test_a_slip_that_breaks_no_proof_is_told_from_one_that_does(sample: Path) -> None:
    harmless, harmful = (Slip("definitions/order.v", "", "n = m", wrong) for wrong in ("id n = m", "n <> m"))
    compile_all(sample)
    assert planted(harmless, compile_all, sample) == ""
    assert "proofs/order.v" in planted(harmful, compile_all, sample)


def test_the_files_are_where_the_tests_look() -> None:
    assert (HERE / "_CoqProject").is_file()
