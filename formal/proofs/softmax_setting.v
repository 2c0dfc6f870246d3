(** What the files on results/softmax/model.json share: what they use, and the names of texts and tables. *)

From Coq Require Export QArith.
From mathcomp Require Export all_ssreflect all_algebra.
From Headproof Require Export definitions.hmm definitions.memory statements.memory statements.rules_memory.
From Headproof Require Export proofs.paths proofs.linear proofs.message_passing proofs.memory_laws.
From Headproof Require Export proofs.rules_attention proofs.softmax proofs.one_cell_laws.
From Headproof Require Export proofs.refutations_numbers proofs.refutations_hmm proofs.refutations_one_cell.
From Headproof Require Export proofs.models statements.refutations proofs.refutations_c9.

Delimit Scope Q_scope with coqQ.
Arguments of_Q : simpl never.
Export no_softmax.
Notation text := (seq 'I_14).
Notation tableq := (table 2 10).
