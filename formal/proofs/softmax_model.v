(** results/softmax/model.json: what is computed for its assumptions, and for the prompt. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families proofs.softmax_texts
  proofs.softmax_slopes proofs.softmax_numbers proofs.softmax_pairs.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).
(** ** What is computed: P[H_1] = P[H_0], l alone leads to a first token, and its column says nothing of the memory. *)

Transparent emit_table Qsum.

Lemma still : every (fun k h => Qeq_bool (next_q T (init_q T) k h) (init_q T k h)). Proof. by vm_compute. Qed.

Lemma from_l t : (t == t_1) || (t == t_2) ->
  all (fun h => (h == s_l) || Qeq_bool (trans_table T (opening t) h) 0) (ords 10).
Proof. by case/orP => /eqP->; vm_compute. Qed.

Lemma l_alike : all (fun z => Qeq_bool (emit_table T z second s_l) (emit_table T z first s_l)) (ords 14).
Proof. by vm_compute. Qed.

Definition dual_q (k : 'I_2) (z : 'I_14) : Q := if z == (if k == first then t_x else t_y) then 4%coqQ else 0%coqQ.

Lemma h_duals : duals T predT (pred1 s_h) (fun k _ => dual_q k). Proof. by vm_compute. Qed.

(** Powers of A, computed once each. *)
Fixpoint powers (n : nat) : table 10 10 :=
  if n is n'.+1 then
    let P := powers n' in memo (fun h' h => Qsum (ords 10) (fun h1 => trans_table T h' h1 * P h1 h)%coqQ)
  else memo (fun h' h => if h' == h then 1%coqQ else 0%coqQ).

Lemma all_reached : every (fun h' h => positive (powers 7 h' h)) && every (fun h' h => positive (powers 8 h' h)).
Proof. by vm_compute. Qed.

Lemma starts_anywhere : all (fun h => positive (init_table T h)) (ords 10). Proof. by vm_compute. Qed.

Lemma stands_still : all (fun h' =>
  Qeq_bool (init_table T h') (Qsum (ords 10) (fun h => trans_table T h' h * init_table T h)%coqQ)) (ords 10).
Proof. by vm_compute. Qed.
