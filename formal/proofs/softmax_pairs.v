(** Two pairs of texts, compared position by position. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families proofs.softmax_texts
  proofs.softmax_slopes proofs.softmax_numbers.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).
Transparent reach_t past_t ahead_t total.

(** ** Checks of two texts, position by position *)

Section Checks.

Variables (dead : pred 'I_2) (none : 'I_14 -> 'I_10 -> bool).

(** q is s(M) v(H), at the memories that are not dead, where the columns are those of the first. *)
Definition row_q q k : Q := Qsum (ords 10) (q k).
Definition plain (v : 'I_10 -> Q) q : bool :=
  every (fun k h => dead k || positive (row_q q k) && Qeq_bool (q k h * Qsum (ords 10) v) (row_q q k * v h)).
Definition alike_columns (v : 'I_10 -> Q) : bool := every (fun k h => dead k || Qeq_bool (v h) 0 ||
  all (fun z => Qeq_bool (emit_table T z k h) (emit_table T z first h)) (ords 14)).
Definition void (t : 'I_14) q : bool := every (fun k h => [|| dead k, Qeq_bool (q k h) 0 | none t h]).

Fixpoint same_score y y' x x' : bool :=
  match x, x' with
  | [::], [::] => true
  | t :: x1, t' :: x1' =>
    let q := reach_t T s_l y x1 in let q' := reach_t T s_l y' x1' in let v := q first in
    [&& void t q && void t' q' ||
        [&& t == t', positive (Qsum (ords 10) v), alike_columns v, plain v q & plain v q'] &
        same_score (rcons y t) (rcons y' t') x1 x1']
  | _, _ => false
  end.

End Checks.

(** A text of the label, in R by its (size y)-th position. *)
Definition told_text (one : bool) y (t : 'I_14) w : bool :=
  let x := y ++ t :: w in let W := weight_q x in
  [&& starts x, every (fun k h => (h == s_h) || Qeq_bool (reach_t T s_l y w k h) 0),
      positive (W first), positive (W second) & Qle_bool (2 * W second) (W first) == one].

Definition front (t : 'I_14) : text := [:: t_1; t_I; t].
Definition back : text := [:: t_l; t_1].
Definition front2 (t : 'I_14) : text := [:: t_1; t_I; t_a; t_z; t_l; t_2; t_II; t; t_w; t_l; t_1; t_I; t_c].
Definition none1 (t : 'I_14) (h : 'I_10) : bool :=
  ((t == t_z) && (h == s_h)) || (((t == t_a) || (t == t_c)) && (h == s_g1)).
Definition none2 (t : 'I_14) (h : 'I_10) : bool := ((t == t_a) || (t == t_c)) && (h == s_g2).

Lemma pair1 : [&& told_text true (front t_a) t_z back, told_text false (front t_c) t_z back &
  same_score pred0 none1 [::] [::] (front t_a ++ t_z :: back) (front t_c ++ t_z :: back)].
Proof. by vm_compute. Qed.
Lemma pair2 : [&& told_text false (front2 t_a) t_z back, told_text true (front2 t_c) t_z back &
  same_score (pred1 second) none2 [::] [::] (front2 t_a ++ t_z :: back) (front2 t_c ++ t_z :: back)].
Proof. by vm_compute. Qed.

Opaque reach_t past_t ahead_t total worth.
