(** What 3.3 needs of its hypotheses: models on which the output of a text with label 0 is a nonnegative combination of
    outputs of texts with label 1. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.refutations_numbers proofs.refutations_hmm
  proofs.models statements.refutations.

Arguments of_Q : simpl never.

Theorem linear_head_needs_3_1 : refuted_3_3_without_3_1.
Proof.
move=> R; exists _, _, (of_hmm_table R without_3_1.T_valid), (fun h : 'I_3 => of_Q R (without_3_1.mu h)); split.
  have [irr aper] : irreducible (of_hmm_table R without_3_1.T_valid) /\ aperiodic (of_hmm_table R without_3_1.T_valid).
    by apply: (@ergodic_of_hmm_table R _ _ _ _ 2); vm_compute.
  by split=> //; split=> //; apply: full_support_of_table; vm_compute.
pose x0 : seq 'I_2 := [:: ord0]; pose x1 : seq 'I_2 := [:: ord_max].
by apply: (@no_linear_head R _ _ _ _ without_3_1.mu ord0 1%coqQ 0%coqQ x0 x1 x1); vm_compute.
Qed.

Theorem linear_head_needs_ergodic : refuted_3_3_without_ergodic.
Proof.
move=> R; exists _, _, (of_hmm_table R without_ergodic.T_valid), (fun h : 'I_3 => of_Q R (without_ergodic.mu h)); split.
- by apply: full_support_of_table; vm_compute.
- by apply: (@independent_of_table R _ _ _ _ without_ergodic.W_inverse); vm_compute.
pose x1 : seq 'I_3 := [:: @Ordinal 3 1 isT]; pose x2 : seq 'I_3 := [:: @Ordinal 3 2 isT].
by apply: (@no_linear_head R _ _ _ _ without_ergodic.mu ord0 1%coqQ 0%coqQ x2 x1 x1); vm_compute.
Qed.

Theorem linear_head_needs_full_support : refuted_3_3_without_full_support.
Proof.
move=> R; exists _, _, (of_hmm_table R without_full_support.T_valid).
exists (fun h : 'I_3 => of_Q R (without_full_support.mu h)).
have [irr aper] : irreducible (of_hmm_table R without_full_support.T_valid) /\
    aperiodic (of_hmm_table R without_full_support.T_valid).
  by apply: (@ergodic_of_hmm_table R _ _ _ _ 4); vm_compute.
split=> //; first by apply: (@independent_of_table R _ _ _ _ without_full_support.W_inverse); vm_compute.
pose x (k : 'I_3) : seq 'I_3 := [:: k].
apply: (@no_linear_head R _ _ _ _ without_full_support.mu ord0 (1 # 4)%coqQ (3 # 4)%coqQ
  (x ord0) (x (@Ordinal 3 1 isT)) (x (@Ordinal 3 2 isT))); by vm_compute.
Qed.
