(** Lemma C.9 is false, on models/surely-open.json.

    Behind the prompt the outputs at positions 2 and 4 of (y mark y) and of (y z y mark) are one vector, the law that
    has y surely. Both positions of the first text are in Ihat; of the second only position 4 is. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.paths
  proofs.message_passing proofs.refutations_numbers proofs.refutations_one_cell proofs.models statements.refutations
  proofs.refutations_section_3_1.

Arguments of_Q : simpl never.

(** supp(mu) of a task with one row. *)
Lemma supp_binary (R : realFieldType) (T : finType) (mu : T -> R) t : (t \in supp (binary mu)) = (mu t != 0).
Proof.
rewrite inE; apply/existsP/idP => [[l]|nz]; last by exists ord_max.
by rewrite /binary; case: ifP; rewrite ?eqxx.
Qed.

(** The score at a position is a function of the output there, and of the position. *)
Lemma eq_score (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (a : attention R N M S X K) g g' i :
  g i =1 g' i -> attention_score a g i = attention_score a g' i.
Proof. move=> eq_g; apply: eq_bigr => k _; congr (_ * (_ + _)); apply: eq_bigr => z _; by rewrite eq_g. Qed.

Lemma attendedP (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (a : attention R N M S X K) t g (i : 'I_t) :
  reflect (forall k : 'I_t, attention_score a g k.+1 <= attention_score a g i.+1) (i \in attended a t g).
Proof. by rewrite inE; exact: forallP. Qed.

Section SurelyOpen.

Import surely_open.
Variable R : realFieldType.
Notation m := (m R).

Definition mu (v : 'I_2) : R := (v == named)%:R.
Definition S' : {set 'I_2} := [set opened].
Notation u := (proof_prompt (binary mu) ord0 : letter R (full 1 _ (ordinal_finType 2))).

Lemma supp_mu v : (v \in supp (binary mu)) = (v == named). Proof. by rewrite supp_binary /mu pnatr_eq0 eqb0 negbK. Qed.

Lemma surely_open_4_4 : assumption_4_4 m.
Proof. by split; [apply: (ergodic_of_table R T_valid (n := 2)) | apply: stationary_of_table]; vm_compute. Qed.

Lemma surely_open_C_5 : assumption_C_5 m (supp (binary mu)) ord0 S'.
Proof.
apply: assumption_C_5_one_cell.
pose d (k s : 'I_2) (z : 'I_3) := if z == y then 1%coqQ else 0%coqQ.
apply: (separated_of_table R T_valid (V_q := pred1 named) (S_q := pred1 opened) (d := d)) => [v|s|].
- by rewrite supp_mu.
- by rewrite inE.
by vm_compute.
Qed.

(** The prompt as a table. *)
Definition u_q : table 2 2 := fun v _ => if v == named then 1%coqQ else 0%coqQ.

Lemma u_is : is_table u u_q.
Proof. by move=> v s; rewrite /proof_prompt supp_mu ffunE /u_q; case: eqP; rewrite ?of_Q1 ?of_Q0. Qed.

Definition x0 : seq 'I_3 := [:: y; mark; y].
Definition x1 : seq 'I_3 := [:: y; z; y; mark].

Lemma x0_possible : 0 < P_hat (hbar m) u (prompted x0). Proof. by rewrite (P_hat_q _ _ u_is) of_Q_gt0; vm_compute. Qed.

Lemma x1_possible : 0 < P_hat (hbar m) u (prompted x1). Proof. by rewrite (P_hat_q _ _ u_is) of_Q_gt0; vm_compute. Qed.

(** Ihat. *)
Notation Ihat := (Ihat m ord0 S').

Lemma recoverableE (h : hidden 1 (ordinal_finType 2)) : (h \in recoverable ord0 S') = (h.2 == opened).
Proof. by rewrite !inE (ord1 h.1) eqxx. Qed.

(** supp(P[H_i | X_-i]) in H*, for the i-th token z of (before, z, after). *)
Definition surely_open (before after : seq 'I_3) : bool :=
  all (fun s => positive (hidden_q T before after s) ==> (s == opened)) (ords 2).

Lemma surely_openP before after z :
  [forall h, (0 < masked_hidden m (before ++ z :: after) (size before).+1 h) ==> (h \in recoverable ord0 S')] =
  surely_open before after.
Proof.
apply/forallP/idP => [all_h|/all_ords all_s h]; last by rewrite masked_hidden_q of_Q_gt0 recoverableE; exact: all_s.
apply/allP => s _; have := all_h (ord0, s); by rewrite masked_hidden_q of_Q_gt0 recoverableE.
Qed.

Lemma x0_Ihat1 : (@Ordinal 4 1 isT) \in Ihat x0.
Proof. by rewrite inE (surely_openP [::] [:: mark; y] y); vm_compute. Qed.

Lemma x1_Ihat3 : (@Ordinal 5 3 isT) \in Ihat x1.
Proof. by rewrite inE (surely_openP [:: y; z] [:: mark] y); vm_compute. Qed.

Lemma x1_Ihat1 : (@Ordinal 5 1 isT) \notin Ihat x1.
Proof. by rewrite inE (surely_openP [::] [:: z; y; mark] y); vm_compute. Qed.

(** Gbar_2 and Gbar_4 are the same for both texts. *)
Definition same_output (before after before' after' : seq 'I_3) : bool :=
  all (fun z => Qeq_bool (output_q T (around_q T (u_q :: letters_q T before) (letters_q T after)) z)
    (output_q T (around_q T (u_q :: letters_q T before') (letters_q T after')) z)) (ords 3).

Lemma Gbar_2 : memory_Gbar m (ehat m u x0) 2 =1 memory_Gbar m (ehat m u x1) 2.
Proof.
have /all_ords same : same_output [::] [:: mark; y] [::] [:: z; y; mark] by vm_compute.
move=> w; rewrite (Gbar_behind_q T_valid [::] y [:: mark; y] w u_is)
  (Gbar_behind_q T_valid [::] y [:: z; y; mark] w u_is).
by apply/eqP; rewrite of_Q_eqE; exact: same.
Qed.

Lemma Gbar_4 : memory_Gbar m (ehat m u x0) 4 =1 memory_Gbar m (ehat m u x1) 4.
Proof.
have /all_ords same : same_output [:: y; mark] [::] [:: y; z] [:: mark] by vm_compute.
move=> w; rewrite (Gbar_behind_q T_valid [:: y; mark] y [::] w u_is)
  (Gbar_behind_q T_valid [:: y; z] y [:: mark] w u_is).
by apply/eqP; rewrite of_Q_eqE; exact: same.
Qed.

(** Position 4 is attended to in the second text and position 2 is not, so that 4 has the greater score, of the same
    outputs as in the first; there 2 has no less a score than 4. *)
Lemma no_keys (a : attention R 1 _ _ _ 1) :
  attended_behind m u a x0 = Ihat x0 -> attended_behind m u a x1 = Ihat x1 -> False.
Proof.
move=> eq0 eq1; have := x0_Ihat1; rewrite -eq0 => /attendedP/(_ (Ordinal (isT : 3 < 4)%N)) /=.
have := x1_Ihat3; rewrite -eq1 => /attendedP max4.
have := x1_Ihat1; rewrite -eq1 inE => /forallPn[k]; rewrite -ltNge => lt2.
have := lt_le_trans lt2 (max4 k) => /=.
by rewrite -(eq_score a Gbar_2) -(eq_score a Gbar_4) ltNge => /negP.
Qed.

End SurelyOpen.

(** ** For each reading of Z *)

Lemma possible_in_Z_all (R : realFieldType) N (M S X : finType) (m : memory_hmm R N M S X) u x :
  is_prompt u -> 0 < P_hat (hbar m) u (prompted x) -> Z_until (size x).+1 m u x.
Proof. move=> u01 possible i le_i; exact: lt_le_trans possible (P_hat_le_masked _ u01 le_i). Qed.

Lemma proof_prompt01 (R : realFieldType) N (M S : finType) K (mu : 'I_K.+1 -> M -> R) (j : 'I_N) :
  is_prompt (proof_prompt mu j : letter R (full N M S)).
Proof. by move=> g; rewrite /proof_prompt ler0n lern1 leq_b1. Qed.

Theorem C_9_possible_is_false : refuted_C_9_possible.
Proof.
move=> R /(_ _ _ _ _ _ _ _ _ _ (surely_open_4_4 R) (surely_open_C_5 R))[a keys].
apply: (@no_keys R a); apply: keys; rewrite ?/Z_possible ?x0_possible ?x1_possible //; apply/set0Pn.
  by exists (Ordinal (isT : 1 < 4)%N); exact: x0_Ihat1.
by exists (Ordinal (isT : 3 < 5)%N); exact: x1_Ihat3.
Qed.

Theorem C_9_is_false : refuted_C_9.
Proof.
move=> R lemma; apply: (@C_9_possible_is_false R) => N M S X m K mu j S'' a44 c5.
have [a keys] := lemma N M S X m K mu j S'' a44 c5; exists a => x possible; apply: keys.
by apply: possible_in_Z_all => //; exact: proof_prompt01.
Qed.

Theorem C_9_letter_is_false : refuted_C_9_letter.
Proof.
move=> R lemma; apply: (@C_9_is_false R) => N M S X m K mu j S'' a44 c5.
have [a keys] := lemma N M S X m K mu j S'' a44 c5; exists a => x in_Z; apply: keys => i /andP[lt0 le_i].
by apply: in_Z; rewrite lt0 ltnW.
Qed.
