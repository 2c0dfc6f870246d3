(** The concrete models of the refutations, as in models/*.json: tables of rational numbers. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.refutations_numbers
  proofs.refutations_hmm proofs.refutations_one_cell.

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

(** ** results/softmax/model.json

    Values first, second. A mark l, then y1 i1, y2 i2 or q, each with a token of its own. i1 leads to g1, i2 to g2, q to
    either; g1 and g2 emit a, b and c. a says the first value in g1 and the second in g2, b the other way round, and c
    nothing. g1 leads to h, g2 to d; z follows in both, v, x and y in h, w in d. *)
Module no_softmax.

Local Open Scope Q_scope.

Definition T : one_cell 2 10 14 := {|
  cell_table := entry [:: 1#2; 1#2];
  init_table := entry [:: 2#13; 1#26; 1#26; 1#26; 1#26; 1#13; 2#13; 2#13; 2#13; 2#13];
  trans_table := entry2 [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#2; 1#2];
                            [:: 1#4; 0; 0; 0; 0; 0; 0; 0; 0; 0];
                            [:: 0; 1; 0; 0; 0; 0; 0; 0; 0; 0];
                            [:: 1#4; 0; 0; 0; 0; 0; 0; 0; 0; 0];
                            [:: 0; 0; 0; 1; 0; 0; 0; 0; 0; 0];
                            [:: 1#2; 0; 0; 0; 0; 0; 0; 0; 0; 0];
                            [:: 0; 0; 1; 0; 0; 1#2; 1#2; 0; 0; 0];
                            [:: 0; 0; 0; 0; 1; 1#2; 0; 1#2; 0; 0];
                            [:: 0; 0; 0; 0; 0; 0; 1#2; 0; 1#2; 0];
                            [:: 0; 0; 0; 0; 0; 0; 0; 1#2; 0; 1#2]];
  emit_table := entry3 [:: [:: [:: 1; 0; 0; 0; 0; 0; 0; 0; 0; 0]; [:: 1; 0; 0; 0; 0; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 1; 0; 0; 0; 0; 0; 0; 0; 0]; [:: 0; 1; 0; 0; 0; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 1; 0; 0; 0; 0; 0; 0; 0]; [:: 0; 0; 1; 0; 0; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 0; 1; 0; 0; 0; 0; 0; 0]; [:: 0; 0; 0; 1; 0; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 1; 0; 0; 0; 0; 0]; [:: 0; 0; 0; 0; 1; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 1; 0; 0; 0; 0]; [:: 0; 0; 0; 0; 0; 1; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 3#8; 1#8; 0; 0]; [:: 0; 0; 0; 0; 0; 0; 1#8; 3#8; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 1#8; 3#8; 0; 0]; [:: 0; 0; 0; 0; 0; 0; 3#8; 1#8; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 1#2; 1#2; 0; 0]; [:: 0; 0; 0; 0; 0; 0; 1#2; 1#2; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#2; 1#2]; [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#2; 1#2]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#4; 0]; [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#4; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#4; 0]; [:: 0; 0; 0; 0; 0; 0; 0; 0; 0; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 0; 0]; [:: 0; 0; 0; 0; 0; 0; 0; 0; 1#4; 0]];
                           [:: [:: 0; 0; 0; 0; 0; 0; 0; 0; 0; 1#2]; [:: 0; 0; 0; 0; 0; 0; 0; 0; 0; 1#2]]] |}.

Lemma T_valid : valid T. Proof. by vm_compute. Qed.
Definition m R : memory_hmm R 1 _ _ _ := of_table R T_valid.

Definition t_l : 'I_14 := @Ordinal 14 0 isT.
Definition t_1 : 'I_14 := @Ordinal 14 1 isT.
Definition t_I : 'I_14 := @Ordinal 14 2 isT.
Definition t_2 : 'I_14 := @Ordinal 14 3 isT.
Definition t_II : 'I_14 := @Ordinal 14 4 isT.
Definition t_o : 'I_14 := @Ordinal 14 5 isT.
Definition t_a : 'I_14 := @Ordinal 14 6 isT.
Definition t_b : 'I_14 := @Ordinal 14 7 isT.
Definition t_c : 'I_14 := @Ordinal 14 8 isT.
Definition t_z : 'I_14 := @Ordinal 14 9 isT.
Definition t_v : 'I_14 := @Ordinal 14 10 isT.
Definition t_x : 'I_14 := @Ordinal 14 11 isT.
Definition t_y : 'I_14 := @Ordinal 14 12 isT.
Definition t_w : 'I_14 := @Ordinal 14 13 isT.
Definition s_l : 'I_10 := @Ordinal 10 0 isT.
Definition s_y1 : 'I_10 := @Ordinal 10 1 isT.
Definition s_y2 : 'I_10 := @Ordinal 10 3 isT.
Definition s_g1 : 'I_10 := @Ordinal 10 6 isT.
Definition s_g2 : 'I_10 := @Ordinal 10 7 isT.
Definition s_h : 'I_10 := @Ordinal 10 8 isT.
Definition s_d : 'I_10 := @Ordinal 10 9 isT.
Definition first : 'I_2 := @Ordinal 2 0 isT.
Definition second : 'I_2 := @Ordinal 2 1 isT.

End no_softmax.

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
