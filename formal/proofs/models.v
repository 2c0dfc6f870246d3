(** The concrete models of the refutations, as in models/*.json: tables of rational numbers. *)

From Coq Require Import QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory.
From Headproof Require Import proofs.refutations_numbers proofs.refutations_hmm proofs.refutations_one_cell.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** models/surely-open.json

    Values named, other; states open, turn; tokens mark, z, y. After a mark the next state is surely open, whatever the
    memory; after z it is only if the memory is the named one. *)
Module surely_open.

Local Open Scope Q_scope.

Definition T : one_cell 2 2 3 := {|
  cell_table := entry [:: 1#2; 1#2];
  init_table := entry [:: 2#3; 1#3];
  trans_table := entry2 [:: [:: 1#2; 1];
                            [:: 1#2; 0]];
  emit_table := entry3 [:: [:: [:: 0; 1#2]; [:: 0  ; 1#2]];
                           [:: [:: 0; 1#2]; [:: 1#2; 1#2]];
                           [:: [:: 1; 0  ]; [:: 1#2; 0  ]]] |}.

Lemma T_valid : valid T. Proof. by vm_compute. Qed.
Definition m R : memory_hmm R 1 _ _ _ := of_table R T_valid.

Definition mark : 'I_3 := @Ordinal 3 0 isT.
Definition z : 'I_3 := @Ordinal 3 1 isT.
Definition y : 'I_3 := @Ordinal 3 2 isT.
Definition named : 'I_2 := @Ordinal 2 0 isT.
Definition opened : 'I_2 := @Ordinal 2 0 isT.

End surely_open.

(** ** models/loud-outsider.json

    Values left, right, outsider; states article, filler, keyword; tokens the, loud, soft, clear. *)
Module loud_outsider.

Local Open Scope Q_scope.

Definition T : one_cell 3 3 4 := {|
  cell_table := entry [:: 1#4; 1#4; 1#2];
  init_table := entry [:: 1#3; 1#3; 1#3];
  trans_table := entry2 [:: [:: 0; 1#2; 1#2];
                            [:: 0; 1#2; 1#2];
                            [:: 1; 0  ; 0  ]];
  emit_table := entry3 [:: [:: [:: 1; 0   ; 0   ]; [:: 1; 0   ; 0  ]; [:: 1; 0; 0]];
                           [:: [:: 0; 1#20; 1#10]; [:: 0; 1#20; 1#5]; [:: 0; 1; 1]];
                           [:: [:: 0; 7#10; 2#5 ]; [:: 0; 7#10; 4#5]; [:: 0; 0; 0]];
                           [:: [:: 0; 1#4 ; 1#2 ]; [:: 0; 1#4 ; 0  ]; [:: 0; 0; 0]]] |}.

Lemma T_valid : valid T. Proof. by vm_compute. Qed.
Definition m R : memory_hmm R 1 _ _ _ := of_table R T_valid.

Definition the : 'I_4 := @Ordinal 4 0 isT.
Definition loud : 'I_4 := @Ordinal 4 1 isT.
Definition left : 'I_3 := @Ordinal 3 0 isT.
Definition right : 'I_3 := @Ordinal 3 1 isT.
Definition outsider : 'I_3 := @Ordinal 3 2 isT.
Definition article : 'I_3 := @Ordinal 3 0 isT.
Definition filler : 'I_3 := @Ordinal 3 1 isT.
Definition keyword : 'I_3 := @Ordinal 3 2 isT.

End loud_outsider.

(** ** results/necessity/models/3.3-without-3.1.json

    Without 3.1: states 0 and 1 emit the same, and the label tells them apart. *)
Module without_3_1.
Local Open Scope Q_scope.
Definition T : hmm_table 3 2 := {|
  init_t := entry [:: 1#3; 1#3; 1#3];
  trans_t := entry2 [:: [:: 0; 1#3; 2#3]; [:: 1#3; 2#3; 0]; [:: 2#3; 0; 1#3]];
  emit_t := entry2 [:: [:: 0; 0; 1#3]; [:: 1; 1; 2#3]] |}.
Lemma T_valid : valid_hmm T. Proof. by vm_compute. Qed.
Definition mu : 'I_3 -> Q := entry [:: -1; 0; 1].
End without_3_1.

(** ** results/necessity/models/3.3-without-3.2-ergodic.json

    Without ergodicity: no state leads to state 0, and from 1 and 2 the rest of the text has one law. *)
Module without_ergodic.
Local Open Scope Q_scope.
Definition T : hmm_table 3 3 := {|
  init_t := entry [:: 1#3; 1#3; 1#3];
  trans_t := entry2 [:: [:: 0; 0; 0]; [:: 0; 1#3; 1#3]; [:: 1; 2#3; 2#3]];
  emit_t := entry2 [:: [:: 0; 0; 1#3]; [:: 0; 1#3; 0]; [:: 1; 2#3; 2#3]] |}.
Lemma T_valid : valid_hmm T. Proof. by vm_compute. Qed.
Definition mu : 'I_3 -> Q := entry [:: -1; -1; 1].
Definition W_inverse (h z : 'I_3) : Q := entry2 [:: [:: -2; -2; 1]; [:: 0; 3; 0]; [:: 3; 0; 0]] h z.
End without_ergodic.

(** ** results/necessity/models/3.3-without-3.2-full-support.json

    Without full support: G_1 of (x0) is 1/4 of that of (x1) and 3/4 of that of (x2). *)
Module without_full_support.
Local Open Scope Q_scope.
Definition T : hmm_table 3 3 := {|
  init_t := entry [:: 1#2; 0; 1#2];
  trans_t := entry2 [:: [:: 0; 1#2; 0]; [:: 0; 0; 1#2]; [:: 1; 1#2; 1#2]];
  emit_t := entry2 [:: [:: 0; 0; 1#2]; [:: 0; 1#2; 0]; [:: 1; 1#2; 1#2]] |}.
Lemma T_valid : valid_hmm T. Proof. by vm_compute. Qed.
Definition mu : 'I_3 -> Q := entry [:: -1; -1; 1].
Definition W_inverse (h z : 'I_3) : Q := entry2 [:: [:: -1; -1; 1]; [:: 0; 2; 0]; [:: 2; 0; 0]] h z.
End without_full_support.
