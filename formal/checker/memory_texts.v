(** What is computed of a text x of a memory model: tau_i(x), with and without a prompt, the masked outputs, whether x is
    in R, and its label (docs/certificate-format.md, section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.refutations_numbers proofs.rules_attention proofs.rules_messages
  checker.tables checker.models checker.agreement checker.memory_models checker.memory_claims.

(** ** Messages of any model *)

Lemma word_inj (X : finType) k (ix : numbering X k) x y : all (fun z => (z < k)%N) x -> all (fun z => (z < k)%N) y ->
  word ix x = word ix y -> x = y.
Proof.
have numbered w : all (fun z => (z < k)%N) w -> map ix (word ix w) = w.
  by move=> /allP ok; rewrite -map_comp -[RHS]map_id; apply/eq_in_map => z /ok; exact: itemK.
by move=> /numbered eq_x /numbered eq_y eq_w; rewrite -eq_x -eq_y eq_w.
Qed.

Section Messages.

Variable T : tables.

(** alpha(w) from p; tau_i(x) from p, and tauhat_i(x) behind the prompt U; W v. *)
Definition alpha_z (p : seq Z) (w : seq nat) : seq Z := foldl (fun v z => times_A T (emitted T z v)) p w.
Definition product_z (v w : seq Z) : seq Z := vec (n T) (fun k => get v k * get w k)%coqZ.
Definition tau_z (p : seq Z) (x : seq nat) (i : nat) : seq Z := product_z (alpha_z p (take i.-1 x)) (beta_z T 1 (drop i x)).
Definition law_z (U : seq Z) (x : seq nat) (i : nat) : seq Z :=
  if i is 0%N then product_z (first_z T) (beta_z T 1 x) else tau_z (behind_z T U) x i.
Definition emission_z (v : seq Z) : seq Z := vec (c T) (W_times T v).
(** W v / ||W v||_1. *)
Definition output_q (v : seq Z) : seq Q :=
  let w := emission_z v in let s := (total (c T) w # 1)%coqQ in [seq Qred ((e # 1) / s)%coqQ | e <- w].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (ih : numbering H (n T)) (ix : numbering X (c T)).
Hypothesis D : describes m ih ix.
Implicit Types (r : R) (p f g : H -> R) (v : seq Z) (w x : seq nat).
Notation of_Z := (of_Z R).
Notation word := (word ix).
Notation text_ok := (all (fun z => (z < c T)%N)).
Let s := of_Z (dA T) * of_Z (dW T).
Let s0 k : 0 < s ^+ k. Proof. by rewrite exprn_gt0 ?(s_gt0 D). Qed.

Lemma alpha_shows r p v w : shows ih r p v -> text_ok w -> shows ih (s ^+ size w * r) (alpha_of m p (word w)) (alpha_z v w).
Proof.
elim: w r p v => [|z w IH] r p v pE /= => [_ h|/andP[lt_z ok]]; first by rewrite mul1r.
have := IH _ _ _ (times_A_shows D (emitted_shows D (item ix z) pE)) ok.
by rewrite itemK // exprSr /s -!mulrA.
Qed.

Lemma text_take i x : text_ok x -> text_ok (take i x). Proof. by move=> /allP ok; apply/allP => z /mem_take/ok. Qed.
Lemma text_drop i x : text_ok x -> text_ok (drop i x). Proof. by move=> /allP ok; apply/allP => z /mem_drop/ok. Qed.

Lemma product_shows r f v r' g v' : shows ih r f v -> shows ih r' g v' -> shows ih (r * r') (fun h => f h * g h) (product_z v v').
Proof. by move=> fE gE h; rewrite get_vec; apply: shows_M; [exact: fE | exact: gE]. Qed.

(** The factor is the same for all p. *)
Lemma tau_shows x i r : text_ok x -> 0 < r -> exists2 q : R, 0 < q & forall p v, shows ih r p v ->
  shows ih q (tau_of m p (word x) i) (tau_z v x i).
Proof.
move=> ok r0; exists (s ^+ size (take i.-1 x) * r * (s ^+ size (drop i x) * 1)) => [|p v pE h].
  by rewrite !mulr_gt0 ?s0 ?ltr01.
rewrite /tau_of -map_take -map_drop; apply: product_shows h; first exact: alpha_shows pE (text_take _ ok).
by apply: (beta_shows D) (text_drop _ ok).
Qed.

Lemma emission_shows r f v z : shows ih r f v -> of_Z (dW T) * r * (\sum_h emit m z h * f h) = of_Z (get (emission_z v) (ix z)).
Proof. by move=> fE; rewrite get_vec; exact: (W_times_shows D). Qed.

(** W v / ||W v||_1 at z. *)
Definition quotient (w : seq Z) z : R := of_Z (get w (ix z)) / of_Z (total (c T) w).

Lemma quotientE r f v z : 0 < r -> shows ih r f v -> (\sum_h emit m z h * f h) / (\sum_h f h) = quotient (emission_z v) z.
Proof.
move=> r0 fE; have q0 : 0 < of_Z (dW T) * r by rewrite mulr_gt0 ?(dW_gt0 D).
have massE : of_Z (dW T) * r * (\sum_h f h) = of_Z (total (c T) (emission_z v)).
  rewrite (of_sum ix) -(eq_bigr _ (fun z' _ => emission_shows z' fE)) -mulr_sumr exchange_big; congr (_ * _); apply: eq_bigr => h _.
  by rewrite -mulr_suml (proj2 (emit_law m h)) mul1r.
by rewrite /quotient -massE -(emission_shows _ fE) -mulf_div divff ?mul1r // lt0r_neq0.
Qed.

Lemma output_qE r f v z : 0 < r -> shows ih r f v ->
  (\sum_h emit m z h * f h) / (\sum_h f h) = of_Q R (entry (output_q v) (ix z)).
Proof.
move=> r0 /(quotientE z r0)->; rewrite /entry (nth_map 0%coqZ) ?size_map ?size_iota ?number_lt //.
by rewrite of_Q_red of_Q_div -!of_Z_of_Q.
Qed.

Lemma first_scaled : exists2 r : R, 0 < r & shows ih r (P_H m 1) (first_z T).
Proof. by exists (of_Z (dA T) * of_Z (d0 T)); [rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D) | exact: (first_shows D)]. Qed.

Lemma first_pos h : (0 < P_H m 1 h) = (0 <? get (first_z T) (ih h))%coqZ.
Proof. by have [r r0 pE] := first_scaled; exact: (shows_gt0 r0 (pE h)). Qed.

End Messages.

(** ** Supports of predictions and of likelihoods *)

(** All that is reached from [waiting], if there is fuel enough. *)
Fixpoint closure (A : eqType) (next : A -> seq A) (fuel : nat) (reached waiting : seq A) : seq A :=
  match fuel, waiting with
  | k.+1, s :: rest => if s \in reached then closure next k reached rest else closure next k (s :: reached) (next s ++ rest)
  | _, _ => reached
  end.

Section Supports.

Variable T : tables.

Definition support_z (P : pred nat) : seq bool := [seq P h | h <- iota 0 (n T)].
Definition predicted_z (F : seq bool) (z : nat) : seq bool :=
  support_z (fun h => some (n T) (fun g => nth false F g && (0 <? get2 (A T) h g * get2 (W T) z g)%coqZ)).
Definition explained_z (B : seq bool) (z : nat) : seq bool :=
  support_z (fun h => some (n T) (fun g => nth false B g && (0 <? get2 (A T) g h * get2 (W T) z g)%coqZ)).
Definition all_supports (step : seq bool -> nat -> seq bool) (first : seq bool) : seq (seq bool) :=
  closure (fun s => [seq step s z | z <- iota 0 (c T)]) (4096 * (c T).+1) [::] [:: first].
Definition closed_supports (step : seq bool -> nat -> seq bool) (first : seq bool) (Fs : seq (seq bool)) : bool :=
  (first \in Fs) && all (fun F => each (c T) (fun z => step F z \in Fs)) Fs.

(** The supports that meet, meet where [own] is false. *)
Definition meet_outside (own : pred nat) : bool :=
  let p := first_z T in
  let first := support_z (fun h => 0 <? get p h)%coqZ in let one := support_z xpredT in
  let Fs := all_supports predicted_z first in let Bs := all_supports explained_z one in
  [&& closed_supports predicted_z first Fs, closed_supports explained_z one Bs &
      all (fun F => all (fun B => some (n T) (fun h => nth false F h && nth false B h) ==>
        some (n T) (fun h => [&& nth false F h, nth false B h & ~~ own h])) Bs) Fs].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (ih : numbering H (n T)) (ix : numbering X (c T)).
Hypothesis D : describes m ih ix.

Definition support_of (s : seq bool) : {set H} := [set h | nth false s (ih h)].

Lemma support_zP P : support_of (support_z P) = [set h | P (ih h)].
Proof. by apply/setP => h; rewrite !inE nth_table. Qed.

Lemma step_gt0 h' h z g :
  (0 < trans m h' h * emit m z g)%R = (0 <? get2 (A T) (ih h') (ih h) * get2 (W T) (ix z) (ih g))%coqZ.
Proof. apply: (shows_gt0 _ (shows_M (trans_shown D h' h) (emit_shown D z g))); exact: s_gt0 D. Qed.

Lemma predicted_zP F z : predicted m (support_of F) z = support_of (predicted_z F (ix z)).
Proof.
rewrite support_zP; apply/setP => h; rewrite !inE; apply/existsP/(someP ih) => -[g ok]; exists g; move: ok;
  by rewrite inE step_gt0.
Qed.

Lemma explained_zP F z : explained m (support_of F) z = support_of (explained_z F (ix z)).
Proof.
rewrite support_zP; apply/setP => h; rewrite !inE; apply/existsP/(someP ih) => -[g ok]; exists g; move: ok;
  by rewrite inE step_gt0.
Qed.

Lemma closed_supportsP step real_step first Fs : (forall F z, real_step (support_of F) z = support_of (step F (ix z))) ->
  closed_supports step first Fs -> support_of first \in map support_of Fs /\
  forall F z, F \in map support_of Fs -> real_step F z \in map support_of Fs.
Proof.
move=> stepE /andP[first_in /allP closed]; split=> [|_ z /mapP[F F_in ->]]; first exact: map_f.
by rewrite stepE; apply: map_f; move: (closed F F_in) => /(eachP ix).
Qed.

Lemma meet_outsideP own : meet_outside own -> exists Fs Bs : seq {set H},
  [/\ [set h | (0 < P_H m 1 h)%R] \in Fs, forall F z, F \in Fs -> predicted m F z \in Fs, setT \in Bs,
      forall B z, B \in Bs -> explained m B z \in Bs &
      forall F B, F \in Fs -> B \in Bs -> F :&: B != set0 -> exists2 h, h \in F :&: B & ~~ own (ih h)].
Proof.
rewrite /meet_outside; set Fs := all_supports predicted_z _; set Bs := all_supports _ _; case/and3P.
move=> /(closed_supportsP predicted_zP)[F1 F_next] /(closed_supportsP explained_zP)[B1 B_next] /allP meet.
exists (map support_of Fs), (map support_of Bs); split=> //.
- by move: F1; rewrite support_zP; under eq_finset do rewrite -(first_pos D).
- by move: B1; rewrite support_zP (_ : [set h | _] = setT) //; apply/setP => h; rewrite !inE.
move=> _ _ /mapP[F F_in ->] /mapP[B B_in ->] /set0Pn[h]; rewrite !inE => h_in.
have /(implyP (allP (meet F F_in) B B_in))/(someP ih)[g /and3P[gF gB out]] : some (n T) (fun h => nth false F h && nth false B h).
  by apply/(someP ih); exists h.
by exists g; rewrite // !inE gF gB.
Qed.

End Supports.

(** ** Texts of a memory model *)

Section Texts.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation size_bar := (a.+1 ^ N.+1 * states)%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).

Section Computed.

Variables (T : tables) (mu_z : seq (seq Z)).

(** mu lifted to Hbar. *)
Definition lifted_z : seq (seq Z) :=
  let ch := choices a.+1 N.+1 in
  [seq [seq get row (nth 0%N (nth [::] ch (k %/ states)) j) | k <- iota 0 size_bar] | row <- mu_z].

(** The position i of x is in Ihat(x); x is in R; and its label is l. *)
Definition sure_z (x : seq nat) (i : nat) : bool :=
  let tau := tau_z T (first_z T) x i.+1 in each size_bar (fun k => (0 <? get tau k)%coqZ ==> own_z b j S' (k %% states)).
Definition in_R_z (x : seq nat) : bool := [&& (j < N.+1)%N, is_input_z T x & some (size x) (sure_z x)].
Definition memory_label_in (x : seq nat) (l : nat) : bool :=
  [&& rows_ok K mu_z, in_R_z x & labelled_z T K lifted_z x l].

End Computed.

Notation bar_T := (bar_tables N a b c memories initial transition emission).
Definition memory_label_z : seq nat -> nat -> bool := memory_label_in bar_T (integers2 mu).

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation ig := (full_numbering N a b).
Notation ix := (ord_numbering c).
Notation word := (word ix).
Notation cell := (inord j : 'I_N.+1).
Notation task := (fun (l : 'I_K.+1) (v : M) => of_Q R (entry2 mu l v)).
Notation Hstar := (@recoverable N.+1 S cell [set s : S | val s \in S']).

Let D := bar_describes R valid.

Lemma lifted_shown : (j < N.+1)%N -> rows_ok K (integers2 mu) ->
  show (T := bar_T) ig (of_Z (common (flatten mu))) (lifted task cell) (lifted_z (integers2 mu)).
Proof.
move=> lt_j /eqP size_mu l g; rewrite /get2 (nth_map [::]) ?size_mu ?ltn_ord // [get _ _](nth_table ig).
rewrite [(_ %/ states)%N]pair_number_div choice_nth -[in RHS](inordK lt_j) nth_digits; exact: integers2_entry.
Qed.

Lemma plain_law_shown x i : all (fun z => (z < c.+1)%N) x ->
  exists2 r : R, 0 < r & shows (T := bar_T) ig r (plain_law m (word x) i) (tau_z bar_T (first_z bar_T) x i).
Proof.
move=> ok; have [r r0 pE] := first_scaled D; have [q q0 tauE] := tau_shows D i ok r0.
by exists q; last exact: tauE pE.
Qed.

Lemma in_R_zP x : in_R_z bar_T x -> in_R m Hstar (word x).
Proof.
case/and3P=> lt_j x_in /hasP[i]; rewrite mem_iota => /andP[_ lt_i] /(eachP ig) own_all.
apply/rule_in_R; split; first exact: (is_inputP D x_in).
exists i.+1; first by rewrite ltn0Sn size_map.
move=> g; have [r r0 lawE] := plain_law_shown i.+1 (is_input_word x_in).
rewrite (shows_gt0 r0 (lawE g)) => pos; have := implyP (own_all g) pos.
by rewrite [(_ %% states)%N]pair_number_mod own_zP.
Qed.

Lemma memory_labelP x l : memory_label_z x l -> in_R m Hstar (word x) /\ memory_F_star m task cell (word x) = inord l.
Proof.
case/and3P=> ok_mu x_in lE; split; first exact: in_R_zP.
rewrite (rule_memory_task m task cell); case/and3P: x_in => lt_j _ _.
exact: (labelled_ok D (common_gt0 R _) (lifted_shown lt_j ok_mu) lE).2.
Qed.

Lemma memory_label_ok x l : memory_label_z x l -> all (fun z => (z < c.+1)%N) x.
Proof. by case/and3P=> _ /and3P[_ /is_input_word]. Qed.

(** G_i(x), and the outputs behind a prompt. *)
Lemma G_q x i z : all (fun z => (z < c.+1)%N) x -> (i < size x)%N ->
  G (hbar m) (word x) i.+1 z = of_Q R (entry (output_q bar_T (tau_z bar_T (first_z bar_T) x i.+1)) (ix z)).
Proof.
move=> ok lt_i; have [GE _] := rule_outputs m (fun=> 0) (word x) i.+1 z; rewrite GE ?size_map //.
by have [r r0 lawE] := plain_law_shown i.+1 ok; exact: (output_qE D z r0 lawE).
Qed.

Lemma law_behind_shown x i r : all (fun z => (z < c.+1)%N) x -> 0 < r -> exists2 q : R, 0 < q & forall u U,
  shows (T := bar_T) ig r u U -> shows (T := bar_T) ig q (law_behind m u (word x) i.+1) (law_z bar_T U x i).
Proof.
move=> ok r0; case: i => [|i].
  have [p p0 pE] := first_scaled D; pose q := (of_Z (dA bar_T) * of_Z (dW bar_T)) ^+ size x * 1.
  exists (p * q) => [|u U _]; first by rewrite !mulr_gt0 ?exprn_gt0 ?(s_gt0 D) ?ltr01.
  by apply: product_shows pE _; exact: (beta_shows D).
have r1 : 0 < of_Z (dA bar_T) * (of_Z (dA bar_T) * of_Z (d0 bar_T) * r) by rewrite !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
by have [q q0 tauE] := tau_shows D i.+1 ok r1; exists q => // u U uE; apply: tauE; exact: (behind_shows D).
Qed.

Definition no_input_z : bool := (j < N.+1)%N && meet_outside bar_T (fun k => own_z b j S' (k %% states)).

Theorem no_input_ok : no_input_z -> forall x, ~ in_R m Hstar x.
Proof.
case/andP=> lt_j /(meet_outsideP D)[Fs [Bs [F1 F_next B1 B_next meet]]].
apply: (rule_no_input F1 F_next B1 B_next) => F B F_in B_in /(meet F B F_in B_in)[h h_in out]; exists h => //.
by move: out; rewrite [(_ %% states)%N]pair_number_mod own_zP.
Qed.

End Texts.
