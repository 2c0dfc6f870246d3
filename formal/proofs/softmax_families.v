(** The families of texts of results/softmax/model.json, and what is computed of them.

    In texts p c^k s all copies of c read one law, so that the score is D + k S for large k, and S >= 0 if all these
    texts have label 1, S <= 0 if all have label 0. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting.

Implicit Types (x y w p s : text) (q : tableq) (k : 'I_2) (h : 'I_10).

Notation past_q := (past_t T s_l).
Notation ahead_q := (ahead_t T).
Notation reach_q := (reach_t T s_l).

(** A word before its end, its last repeated token, and after: all pasts and futures of a position. *)
Fixpoint splits y x : seq (text * text) := if x is t :: x' then (y, x') :: splits (rcons y t) x' else [::].

(** Texts p c^k s, s = y z w; where z stands, the state surely is h. mu: what one more c multiplies the laws by. *)
Record family := Family {
  before : text; repeated : 'I_14; between : text; told : 'I_14; after : text;
  factor : 'I_2 -> Q; rate : Q;
  weights : tableq }.
Definition behind F := between F ++ told F :: after F.

Definition even_q (dead : pred 'I_2) F q : bool :=
  every (fun k h => dead k || Qeq_bool (factor F k * q k h) (rate F * q k h)).

Definition steady (dead : pred 'I_2) F : bool :=
  let P := past_q (before F) in let B := ahead_q (behind F) in let B' := ahead_q (repeated F :: behind F) in
  let mid := reach_q (before F) (behind F) in
  let lam := Qred (total mid / total (weights F))%coqQ in
  [&& positive (rate F), positive lam,
      every (fun k h => Qeq_bool (next_q T P k h * emit_table T (repeated F) k h) (factor F k * P k h)),
      every (fun k h => Qeq_bool (B' k h) (factor F k * B k h)),
      every (fun k h => Qeq_bool (mid k h) (lam * weights F k h)),
      even_q dead F mid &
      all (fun yw => let q := reach_q yw.1 yw.2 in even_q dead F q) (splits [::] (before F ++ behind F))].

(** P[X = x | M = k] / P[l comes before x], from the table of the past. *)
Definition weight_q x k : Q := let P := past_q x in Qsum (ords 10) (P k).

(** The label of all these texts, and that they are in R. *)
Definition starts x : bool :=
  if x is t :: t' :: _ then (t == t_1) && (t' == t_I) || (t == t_2) && (t' == t_II) else false.
Definition in_R_q F : bool :=
  let q := reach_q (before F ++ between F) (after F) in every (fun k h => (h == s_h) || Qeq_bool (q k h) 0).
Definition label_one F : bool :=
  let W := weight_q (before F ++ behind F) in
  [&& positive (W first), Qle_bool (2 * W second) (W first) &
      Qeq_bool (W second) 0 || Qle_bool (factor F second) (factor F first)].
Definition label_zero F : bool :=
  let W := weight_q (before F ++ behind F) in
  positive (2 * W second - W first) && (Qeq_bool (W first) 0 || Qle_bool (factor F first) (factor F second)).
Definition good (dead : pred 'I_2) (one : bool) F : bool :=
  [&& starts (before F), positive (factor F first) && positive (factor F second), steady dead F, in_R_q F &
      if one then label_one F else label_zero F].

(** e at (first, h), (second, h) and e' at h'. *)
Definition at_states (h h' : 'I_10) (e e' : seq Q) : tableq :=
  fun k g => if g == h then nth 0%coqQ e k else if g == h' then nth 0%coqQ e' k else 0%coqQ.

Definition factor_z (k : 'I_2) : Q := (1#4)%coqQ.
Definition factor_g1 (k : 'I_2) : Q := if k == first then (3#16)%coqQ else (1#16)%coqQ.
Definition factor_g2 (k : 'I_2) : Q := if k == first then (1#16)%coqQ else (3#16)%coqQ.

Section Families.

Local Open Scope Q_scope.
Definition Z e e' p := Family p t_z [::] t_z [:: t_l; t_1] factor_z (1#4) (at_states s_h s_d e e').
Definition Z1 := Z [:: 3; 1] [:: 0; 0] [:: t_1; t_I; t_a; t_z].
Definition Z2 := Z [:: 1; 1] [:: 0; 0] [:: t_1; t_I; t_c; t_z].
Definition Z3 := Family [:: t_1; t_I; t_c; t_z; t_l; t_o; t_a; t_z] t_z [:: t_z; t_l; t_1; t_I; t_c] t_z [:: t_l; t_1]
  factor_z (1#4) (at_states s_h s_d [:: 3; 1] [:: 1; 3]).
Definition Z4 := Family [:: t_1; t_I; t_a; t_z; t_l; t_o; t_b; t_z] t_z [:: t_z; t_l; t_1; t_I; t_c] t_z [:: t_l; t_1]
  factor_z (1#4) (at_states s_h s_d [:: 3; 3] [:: 9; 1]).

Definition C1 := Family [:: t_1; t_I; t_a; t_c] t_c [:: t_c] t_z [:: t_l; t_1]
  factor_z (1#4) (at_states s_g1 s_g2 [:: 3; 1] [::]).
Definition C2 := Family [:: t_1; t_I; t_c] t_c [:: t_c] t_z [:: t_l; t_1]
  factor_z (1#4) (at_states s_g1 s_g2 [:: 1; 1] [::]).
Definition told_later : text := [:: t_c; t_w; t_l; t_1; t_I; t_c].
Definition C3 := Family [:: t_1; t_I; t_a; t_z; t_l; t_2; t_II; t_c] t_c told_later t_z [:: t_l; t_1] factor_z (1#4)
  (at_states s_g2 s_g1 [:: 3; 1] [::]).
Definition C4 := Family [:: t_2; t_II; t_c] t_c told_later t_z [:: t_l; t_1] factor_z (1#4)
  (at_states s_g2 s_g1 [:: 1; 1] [::]).

Definition A1 := Family [:: t_1; t_I; t_a] t_a [:: t_a; t_x] t_x [:: t_l; t_1]
  factor_g1 (3#16) (at_states s_g1 s_g2 [:: 1; 0] [::]).
Definition A2 := Family [:: t_1; t_I; t_a] t_a [:: t_a; t_y] t_y [:: t_l; t_1]
  factor_g1 (1#16) (at_states s_g1 s_g2 [:: 0; 1] [::]).
Definition later (t : 'I_14) : text := [:: t_a; t_w; t_l; t_1; t_I; t_c; t].
Definition A3 := Family [:: t_2; t_II; t_a] t_a (later t_x) t_x [:: t_l; t_1]
  factor_g2 (1#16) (at_states s_g2 s_g1 [:: 1; 0] [::]).
Definition A4 := Family [:: t_2; t_II; t_a] t_a (later t_y) t_y [:: t_l; t_1]
  factor_g2 (3#16) (at_states s_g2 s_g1 [:: 0; 1] [::]).
Definition A5 := Family [:: t_1; t_I; t_a] t_a [:: t_a] t_v [:: t_l; t_1]
  factor_g1 (1#16) (at_states s_g1 s_g2 [:: 9; 1] [::]).
Definition A6 := Family [:: t_2; t_II; t_a] t_a [:: t_a; t_w; t_l; t_1; t_I; t_c] t_z [:: t_l; t_1] factor_g2 (1#16)
  (at_states s_g2 s_g1 [:: 1; 9] [::]).

End Families.

Definition alive : pred 'I_2 := pred0.
Lemma good_both : [&& good alive true Z1, good alive false Z2, good alive false Z3, good alive true Z4,
  good alive true C1, good alive false C2, good alive true C3 & good alive false C4].
Proof. by vm_compute. Qed.
Lemma good_A : [&& good alive true A1, good alive false A2, good alive true A3, good alive false A4,
  good (pred1 first) true A5 & good (pred1 second) false A6].
Proof. by vm_compute. Qed.
