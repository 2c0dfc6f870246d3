(** What the files on results/softmax/model.json share: what they use, and the names of texts and tables. *)

From Headproof Require Import definitions.prelude.
From Headproof Require Export definitions.hmm definitions.memory statements.memory statements.rules_memory proofs.paths
  proofs.linear proofs.message_passing proofs.memory_laws proofs.rules_attention proofs.softmax proofs.one_cell_laws
  proofs.refutations_numbers proofs.refutations_hmm proofs.refutations_one_cell proofs.models statements.refutations
  proofs.refutations_c9.

Arguments of_Q : simpl never.
Export no_softmax.
Notation text := (seq 'I_14).
Notation tableq := (table 2 10).
