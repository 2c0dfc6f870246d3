(** What decides the lemmas of section 3 and of appendices A and B on a model (docs/certificate-format.md, section 9). *)

From Headproof Require Import definitions.prelude statements.vanilla statements.refutations statements.rules_lemmas
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.rules_agreement
  proofs.section_3 proofs.rules_lemmas proofs.refutations_section_3_1.
From Headproof Require Export checker.page.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Decided.

Variables (T : tables).
Notation n := (n T).

(** The states at which v is > 0 are among those at which w is. *)
Definition within_z (v w : seq Z) : bool := each n (fun h => (0 <? get v h)%coqZ ==> (0 <? get w h)%coqZ).

(** A.1: P[H_0] > 0 only where P[H_1] is; and S holds its states, with those that they lead to, of which none that is not
    theirs has beta(z) > 0 for a token z that is possible at first. *)
Definition beta_1 (z h : nat) : bool := some n (fun g => (0 <? get2 (A T) g h)%coqZ && (0 <? get2 (W T) z g)%coqZ).
Definition diagonals_z (S : seq bool) : bool :=
  [&& within_z (p0 T) (first_z T), each n (fun h => (0 <? get (p0 T) h)%coqZ ==> nth false S h),
      each n (fun f => nth false S f ==> each n (fun h => (0 <? get2 (A T) h f)%coqZ ==> nth false S h)) &
      each n (fun h => nth false S h ==> (0 <? get (p0 T) h)%coqZ || each (c T) (fun z =>
        beta_1 z h ==> ~~ some n (fun g => (0 <? get (p0 T) g)%coqZ && beta_1 z g)))].

(** Section 3.1: a prompt u and a text that are possible together. *)
Definition together_z (u : seq Z) (x : seq nat) : bool :=
  all (fun z => z < c T)%N x && (0 <? dot_z n (vec n (fun h => get (first_z T) h * get u h)%coqZ) (beta_in T (size x) x))%coqZ.

(** 3.4: terms (left, right, t), with W sum of t tau = 0 and sum of t tau not 0. *)
Definition tau_z (p : seq Z) (L : nat) (l r : seq nat) : seq Z :=
  let a := foldl (fun v z => times_A T (emitted T z v)) p l in
  let b := beta_in T (L - size l) r in vec n (fun h => get a h * get b h)%coqZ.
Definition word_terms : Type := seq (seq nat * seq nat * Z).
Definition words_ok (terms : word_terms) : bool :=
  all (fun t => all (fun z => z < c T)%N t.1.1 && all (fun z => z < c T)%N t.1.2) terms.
Definition weighted_z (p : seq Z) (terms : word_terms) : seq Z :=
  let L := foldr maxn 0%N [seq (size t.1.1 + size t.1.2)%N | t <- terms] in
  let taus := [seq let v := tau_z p L t.1.1 t.1.2 in vec n (fun h => t.2 * get v h)%coqZ | t <- terms] in
  vec n (fun h => foldr (fun v s => get v h + s)%coqZ 0%coqZ taus).

Definition no_inverse_z (terms : word_terms) : bool :=
  let total := weighted_z (first_z T) terms in
  [&& words_ok terms, each (c T) (fun z => W_times T total z =? 0)%coqZ & some n (fun h => ~~ (get total h =? 0)%coqZ)].

(** P[H_i] > 0 or P[H_0] > 0 at h, not both, and beta(x) > 0 there. *)
Definition no_diagonal_z (i h : nat) (x : seq nat) : bool :=
  [&& (h < n)%N, is_input_z T x, (0 <? get (beta_in T (size x) x) h)%coqZ &
      (get (p0 T) h =? 0)%coqZ != (get (iter i (times_A T) (p0 T)) h =? 0)%coqZ].
Definition prior_misses_z (h : nat) (x : seq nat) : bool :=
  [&& (h < n)%N, all (fun z => z < c T)%N x, (get (p0 T) h =? 0)%coqZ, (0 <? get (times_A T (first_z T)) h)%coqZ &
      (0 <? get (beta_in T (size x) x) h)%coqZ].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Notation of_Z := (of_Z R).

Lemma p0_gt0 h : (0 < init m h) = (0 <? get (p0 T) (ih h))%coqZ.
Proof. exact: (shows_gt0 (d0_gt0 D) (init_shown D h)). Qed.
Lemma W_gt0 z h : (0 < emit m z h) = (0 <? get2 (W T) (ix z) (ih h))%coqZ.
Proof. exact: (shows_gt0 (dW_gt0 D) (emit_shown D z h)). Qed.

Lemma beta_1P z y h : 0 < beta_of m (z :: y) h -> beta_1 (ix z) (ih h).
Proof.
case/beta_of_gt0=> g AW _; apply/(someP ih); exists g; rewrite -(trans_gt0 D) -W_gt0.
move: AW; rewrite lt0r mulf_eq0 negb_or => /andP[/andP[A0 W0] _].
by rewrite !lt0r A0 W0 (trans_law m h).1 emit_ge0.
Qed.

Theorem diagonals_ok S : diagonals_z S -> forall i, (1 <= i)%N ->
  exists2 d : H -> R, (forall h, d h != 0) & forall x : seq X, is_input m x -> 0 < prob m (nseq i free ++ embed m x) /\
  exists2 r : R, 0 < r & forall h, posterior m (nseq i free ++ embed m x) i h = r * (d h * posterior m (embed m x) 0 h).
Proof.
case/and4P=> /(eachP ih) first_in /(eachP ih) init_in /(eachP ih) closed /(eachP ih) others i _.
have in_S j h : 0 < P_H m j h -> nth false S (ih h).
  elim: j h => [|j IH] h; first by rewrite P_H0 p0_gt0; exact: (implyP (init_in h)).
  rewrite P_HS /next sum_gt0 => [/existsP[f]|f]; last by rewrite mulr_ge0 ?P_H_ge0 ?(trans_law m f).1.
  rewrite lt0r mulf_eq0 negb_or => /andP[/andP[A0 P0] _]; apply: (implyP (eachP ih _ (implyP (closed f) (IH f _)) h)).
    by rewrite lt0r P0 P_H_ge0.
  by rewrite -(trans_gt0 D) lt0r A0 (trans_law m f).1.
have grows j h : 0 < P_H m j h -> 0 < P_H m j.+1 h.
  elim: j h => [|j IH] h.
    rewrite P_H0 p0_gt0 => /(implyP (first_in h)); rewrite -(shows_gt0 _ (first_shows D h)) //.
    by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
  rewrite !P_HS /next !sum_gt0 => [/existsP[f pos]|f|f]; rewrite ?mulr_ge0 ?P_H_ge0 ?(trans_law m f).1 //.
  apply/existsP; exists f; move: pos; rewrite !lt0r !mulf_eq0 !negb_or !mulr_ge0 ?P_H_ge0 ?(trans_law m f).1 // !andbT.
  by case/andP=> -> P0; have := IH f; rewrite !lt0r P0 P_H_ge0 => /(_ isT)/andP[->].
have stays h : 0 < init m h -> 0 < P_H m i h.
  by rewrite -P_H0; elim: (i) => // j IH /IH; exact: grows.
pose d h := if 0 < init m h then P_H m i h / init m h else 1.
exists d => [h|x x_in]; rewrite /d; first by case: ifP => [pos|_]; rewrite ?oner_eq0 // mulf_neq0 ?invr_neq0 ?lt0r_neq0 ?stays.
have [ne x_gt0] := x_in; have at_0 h : init m h = 0 -> P_H m i h * beta m (embed m x) h = 0.
  move=> init0; have [->|P_neq0] := eqVneq (P_H m i h) 0; first exact: mul0r.
  have P_gt0 : 0 < P_H m i h by rewrite lt0r P_neq0 P_H_ge0.
  have := implyP (others h) (in_S _ _ P_gt0); rewrite -p0_gt0 init0 ltxx /=.
  case: x ne x_gt0 {x_in} => // z y _; rewrite P_X_dot /dot sum_gt0 => [/existsP[g pos]|g]; last first.
    by rewrite mulr_ge0 ?init_ge0 ?beta_of_ge0.
  move=> /(eachP ix)/(_ z)/implyP none; have [->|nz] := eqVneq (beta m (embed m (z :: y)) h) 0; first exact: mulr0.
  have b_gt0 : 0 < beta_of m (z :: y) h by rewrite lt0r nz beta_of_ge0.
  case/negP: (none (beta_1P b_gt0)); apply/(someP ih); exists g; rewrite -p0_gt0.
  move: pos; rewrite !lt0r mulf_eq0 negb_or init_ge0 => /andP[/andP[-> bz] _] /=.
  by apply: (@beta_1P _ y); rewrite lt0r bz beta_of_ge0.
have s_gt0 : 0 < \sum_g P_H m i g * beta m (embed m x) g.
  rewrite sum_gt0 => [|g]; last by rewrite mulr_ge0 ?P_H_ge0 //; exact: beta_of_ge0.
  move: x_gt0; rewrite P_X_dot /dot sum_gt0 => [/existsP[g]|g]; last by rewrite mulr_ge0 ?init_ge0 ?beta_of_ge0.
  rewrite lt0r mulf_eq0 negb_or => /andP[/andP[i0 b0] _]; apply/existsP; exists g; apply: mulr_gt0.
    by apply: stays; rewrite lt0r i0 init_ge0.
  by rewrite lt0r b0; exact: beta_of_ge0.
split; first by rewrite prob_free.
exists (P_X m x / \sum_g P_H m i g * beta m (embed m x) g) => [|h]; first exact: divr_gt0.
rewrite {1}/posterior joint_free prob_free [posterior _ _ 0 h]/posterior joint0 -/(P_X m x).
set s := \sum_g _; case: ifP => [pos|/negbT no]; last first.
  have init0 : init m h = 0 by move: no; rewrite lt0r init_ge0 andbT negbK => /eqP.
  by rewrite at_0 // init0 !mul0r !mulr0.
rewrite -[init m h * _ / _]mulrA [_ / init m h * _]mulrA divfK ?lt0r_neq0 //.
by rewrite [RHS]mulrC -!mulrA mulKf ?lt0r_neq0.
Qed.

Lemma P_hat_dot u x : P_hat m u (prompted x) = dot (fun h => P_H m 1 h * u h) (beta_of m x).
Proof.
rewrite /P_hat hat_prompted -(sum_joint m _ 1) /dot; apply: eq_bigr => h _.
by rewrite (joint_cat m [:: u] (embed m x) h) /= P_HS (next_ext _ (P_H0 m)).
Qed.

Lemma together_gt0 r u (u' : letter R H) x : 0 < r -> shows ih r u' u -> together_z u x ->
  0 < P_hat m u' (prompted (word ix x)).
Proof.
move=> r0 uE /andP[ok pos]; rewrite P_hat_dot.
have vE : shows ih (of_Z (dA T) * of_Z (d0 T) * r) (fun h => P_H m 1 h * u' h) (vec n (fun h => get (first_z T) h * get u h)%coqZ).
  by move=> h; rewrite get_vec; apply: shows_M (uE h); exact: (first_shows D).
rewrite (shows_gt0 _ (dot_shows vE (beta_in_shows D (leqnn _) ok))) //.
by rewrite !mulr_gt0 ?exprn_gt0 ?(s_gt0 D) ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

Lemma beta_gt0 x h : all (fun z => z < c T)%N x -> (0 < beta_of m (word ix x) h) = (0 <? get (beta_in T (size x) x) (ih h))%coqZ.
Proof. by move=> ok; rewrite (shows_gt0 _ (beta_in_shows D (leqnn _) ok h)) // exprn_gt0 ?(s_gt0 D). Qed.

Lemma P_H_shows i : shows ih (of_Z (dA T) ^+ i * of_Z (d0 T)) (P_H m i) (iter i (times_A T) (p0 T)).
Proof.
elim: i => [|i IH] h; first by rewrite mul1r P_H0 (init_shown D).
by rewrite exprS -[_ * _ * of_Z (d0 T)]mulrA P_HS /=; exact: (times_A_shows D IH h).
Qed.

Theorem no_diagonal_ok i h x : no_diagonal_z i h x ->
  ~ exists2 d : H -> R, (forall h, d h != 0) & forall y : seq X, is_input m y -> exists2 r : R, 0 < r & forall h,
    posterior m (nseq i free ++ embed m y) i h = r * (d h * posterior m (embed m y) 0 h).
Proof.
case/and4P=> lt_h x_in pos differ; apply: (@rule_no_diagonal _ _ _ m i (item ih h) (word ix x)).
- exact: (is_inputP D).
- by rewrite beta_gt0 ?itemK //; exact: is_input_word x_in.
rewrite (shows_eq0 (d0_gt0 D) (init_shown D _)) (shows_eq0 _ (P_H_shows i _)) ?itemK //.
by rewrite mulr_gt0 ?exprn_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

Lemma total_z (vs : seq (seq Z)) h : of_Z (foldr (fun v s => get v h + s)%coqZ 0%coqZ vs) = \sum_(t < size vs) of_Z (get (nth [::] vs t) h).
Proof. by elim: vs => [|v vs IH]; rewrite ?big_ord0 //= big_ord_recl of_ZD IH. Qed.

Lemma weighted_shown p pr rp terms : 0 < rp -> shows ih rp pr p -> words_ok terms ->
  exists (I : finType) (left right : I -> seq X) (weight : I -> R) (r : R), 0 < r /\ forall h,
    r * (\sum_t weight t * (alpha_of m pr (left t) h * beta_of m (right t) h)) = of_Z (get (weighted_z p terms) (ih h)).
Proof.
move=> rp0 pE /all_nthP words; rewrite /weighted_z; set L := foldr _ _ _; set taus := map _ terms.
have size_t : size taus = size terms by rewrite size_map.
pose d := ([::] : seq nat, [::] : seq nat, 0%coqZ); pose term (t : 'I_(size taus)) := nth d terms t.
pose left (t : ordinal_finType (size taus)) := word ix (term t).1.1; pose right t := word ix (term t).1.2.
pose weight (t : ordinal_finType (size taus)) := of_Z (term t).2; pose r := rp * (of_Z (dA T) * of_Z (dW T)) ^+ L.
exists (ordinal_finType (size taus)), left, right, weight, r; split=> [|h]; first by rewrite mulr_gt0 ?exprn_gt0 ?(s_gt0 D).
rewrite get_vec total_z mulr_sumr; apply: eq_bigr => t _.
have lt_t : (t < size terms)%N by rewrite -size_t.
have /andP[lok rok] := words d t lt_t.
have le_L : (size (term t).1.1 + size (term t).1.2 <= L)%N.
  rewrite /L /term; elim: (terms) (val t) lt_t => //= u us IH [|j] lt_j; rewrite leq_max ?leqnn //= IH ?orbT //.
have alphaE w q v s : shows ih s q v -> all (fun z => z < c T)%N w ->
    shows ih ((of_Z (dA T) * of_Z (dW T)) ^+ size w * s) (alpha_of m q (word ix w)) (foldl (fun v z => times_A T (emitted T z v)) v w).
  elim: w q v s => [|z w IH] q v s qE /= => [_ h'|/andP[lt_z w_ok]]; first by rewrite mul1r.
  have zE := times_A_shows D (emitted_shows D (item ix z) qE); rewrite itemK // in zE.
  by move=> h'; have := IH _ _ _ zE w_ok h'; rewrite exprSr -!mulrA.
rewrite (nth_map d) // get_vec of_ZM get_vec /weight -/(term t) mulrCA; congr (_ * _).
have -> : r = (of_Z (dA T) * of_Z (dW T)) ^+ size (term t).1.1 * rp * (of_Z (dA T) * of_Z (dW T)) ^+ (L - size (term t).1.1).
  rewrite /r -[X in _ ^+ X](subnKC (leq_trans (leq_addr _ _) le_L)) exprD mulrA; congr (_ * _); exact: mulrC.
apply: shows_M; first exact: (alphaE _ _ _ _ pE lok).
by apply: (beta_in_shows D) rok h; rewrite -(leq_add2l (size (term t).1.1)) subnKC // (leq_trans (leq_addr _ _) le_L).
Qed.

Theorem no_inverse_ok terms : no_inverse_z terms ->
  ~ exists L : H -> X -> R, forall (x : seq X) (i : nat), (1 <= i <= size x)%N -> 0 < masked_prob m x i ->
    forall h, masked_posterior m x i h = \sum_z L h z * G m x i z.
Proof.
case/and3P=> words /(eachP ix) zero /(someP ih)[h0 nz].
have r1 : 0 < of_Z (dA T) * of_Z (d0 T) by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
have [I [left [right [weight [r [r0 totalE]]]]]] := weighted_shown r1 (first_shows D) words.
apply: (@rule_no_inverse _ _ _ m _ left right weight) => [z|].
  have /shows_zero := W_times_shows D z totalE; rewrite mulr_gt0 ?(dW_gt0 D) // => /(_ isT (zero z)) eq0.
  rewrite -[RHS]eq0; under eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => h _ /=.
  by rewrite mulr_sumr; apply: eq_bigr => t _; rewrite mulrCA.
by exists h0; rewrite (shows_eq0 r0 (totalE h0)).
Qed.

(** Equation 3.3: rows ys, over a common denominator, on inputs xs; U is the prompt. *)
Definition row_on (L : nat) (x : seq nat) (y : seq Z) : seq Z :=
  let v := beta_in T L x in vec n (fun h => sum (c T) (fun z => get y z * get2 (W T) z h) * get v h)%coqZ.
Definition no_output_diagonal_z (U : seq Z) (xs : seq (seq nat)) (ys : seq (seq Z)) : bool :=
  let L := foldr maxn 0%N (map size xs) in let b := behind_z T U in
  let qs := [seq row_on L (nth [::] xs t) (nth [::] ys t) | t <- iota 0 (size xs)] in
  [&& (0 <? dot_z n U (first_z T))%coqZ, all (is_input_z T) xs,
      each n (fun h => get b h * get (p0 T) h * foldr (fun v s => get v h + s) 0 qs =? 0)%coqZ,
      all (fun v => 0 <=? dot_z n b v)%coqZ qs & has (fun v => 0 <? dot_z n b v)%coqZ qs].

Theorem no_output_diagonal_ok ru (u : letter R H) U xs ry (y : nat -> X -> R) ys : 0 < ru -> shows ih ru u U -> is_prompt u ->
  0 < ry -> (forall t z, ry * y t z = of_Z (get2 ys t (ix z))) -> no_output_diagonal_z U xs ys -> 0 < dot u (P_H m 1) /\
  ~ exists2 d : H -> R, (forall h, d h != 0) & forall (E : X) (x : seq X), is_input m x ->
    exists2 r : R, 0 < r & forall z, Gbar m (u :: embed m (E :: x)) 2 z =
      r * \sum_h emit m z h * (d h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)).
Proof.
move=> ru0 uE u01 ry0 yE; rewrite /no_output_diagonal_z; set L := foldr _ _ _; set b := behind_z T U; set qs := map _ (iota _ _).
case/and5P=> pos /all_nthP inputs /(eachP ih) zero ge0 some.
have r1 : 0 < of_Z (dA T) * of_Z (d0 T) by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
have u_pos : 0 < dot u (P_H m 1) by rewrite (shows_gt0 _ (dot_shows uE (first_shows D))) // mulr_gt0.
split=> //; have size_q : size qs = size xs by rewrite size_map size_iota.
pose word_of (t : ordinal_finType (size qs)) := word ix (nth [::] xs t); pose Y t h := dot (y t) (column m h).
pose rq := ry * of_Z (dW T) * (of_Z (dA T) * of_Z (dW T)) ^+ L.
have rq0 : 0 < rq by rewrite !mulr_gt0 ?exprn_gt0 ?(s_gt0 D) ?(dW_gt0 D).
have bE := behind_shows D uE; set rb := _ * (_ * _) in bE; have rb0 : 0 < rb by rewrite !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
have qE (t : ordinal_finType (size qs)) h : rq * (Y t h * beta_of m (word_of t) h) = of_Z (get (nth [::] qs t) (ih h)).
  have lt_t : (t < size xs)%N by rewrite -size_q.
  rewrite (nth_map 0%N) ?size_iota // nth_iota // get_vec; apply: shows_M.
    by apply: (shows_sum ix) => z; apply: shows_M; [exact: yE | exact: (emit_shown D)].
  apply: (beta_in_shows D); last exact: is_input_word (inputs [::] t lt_t).
  by rewrite /L; elim: (xs) (val t) lt_t => //= x xs' IH [|t'] lt_t'; rewrite leq_max ?leqnn //= IH ?orbT.
have readE (t : ordinal_finType (size qs)) : dot (y t) (fun z => \sum_h emit m z h * (behind m u h * beta_of m (word_of t) h)) =
    \sum_h behind m u h * (Y t h * beta_of m (word_of t) h).
  rewrite /dot; under eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => h _.
  by rewrite /Y /dot mulr_suml mulr_sumr; apply: eq_bigr => z _; rewrite /column mulrA mulrCA.
have readsE (t : ordinal_finType (size qs)) : rb * rq * (\sum_h behind m u h * (Y t h * beta_of m (word_of t) h)) = of_Z (dot_z n b (nth [::] qs t)).
  by apply: (dot_shows bE) => h; exact: qE.
have rr0 : 0 < rb * rq by exact: mulr_gt0.
apply: (@rule_no_output_diagonal _ _ _ m u _ word_of y) => // [t|h|t|].
- by apply: (is_inputP D); apply: inputs; rewrite -size_q ltn_ord.
- have := zero h; rewrite -(of_Z_eqE R) => /eqP zeroE; apply: (mulfI (lt0r_neq0 (mulr_gt0 (mulr_gt0 rb0 (d0_gt0 D)) rq0))).
  rewrite mulr0 -[RHS]zeroE !of_ZM -bE -(init_shown D) total_z [LHS]mulr_sumr [RHS]mulr_sumr; apply: eq_bigr => t _; rewrite -qE -/(Y t h).
  by rewrite [in RHS](mulrACA rb) [in RHS](mulrACA (rb * of_Z (d0 T))) [behind m u h * init m h * _]mulrCA -[behind m u h * init m h * _]mulrA.
- by rewrite readE -(pmulr_rge0 _ rr0) readsE -of_Z0 of_Z_le; exact: (all_nthP [::] ge0 t (ltn_ord t)).
have /(has_nthP [::])[t lt_t pos_t] := some; exists (Ordinal lt_t).
by rewrite readE -(pmulr_rgt0 _ rr0) readsE -of_Z0 of_Z_lt.
Qed.

(** B.2 and equation 3.3. *)
Theorem prior_covers_ok : within_z (times_A T (first_z T)) (p0 T) -> forall h, 0 < P_H m 2 h -> 0 < init m h.
Proof.
move=> /(eachP ih) ok h; rewrite p0_gt0 => pos; apply: (implyP (ok h)); move: pos.
by rewrite P_HS -(shows_gt0 _ (times_A_shows D (first_shows D) h)) // !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

(** 3.6:zero. *)
Variables (K : nat) (mu : seq (seq Z)) (rmu : R) (mu' : 'I_K.+1 -> H -> R) (rmu0 : 0 < rmu) (muE : show ih rmu mu' mu).
Definition prompt_reaches_z : bool :=
  each n (fun h => supp_z K mu h && (0 <? get (p0 T) h)%coqZ ==> some n (fun g => supp_z K mu g &&
    each n (fun f => (0 <? get2 (A T) g f)%coqZ ==> (0 <? get2 (A T) h f)%coqZ && (0 <? get (first_z T) f)%coqZ))).

Theorem prompt_reaches_ok : prompt_reaches_z -> forall h, h \in supp mu' -> 0 < init m h ->
  exists2 g, g \in supp mu' & forall f, 0 < trans m g f -> 0 < trans m h f * P_H m 1 f.
Proof.
move=> /(eachP ih) ok h h_supp pos; have := ok h; rewrite -(supp_zP rmu0 muE) h_supp -p0_gt0 pos /=.
case/(someP ih)=> g /andP[g_supp /(eachP ih) leads]; exists g; first by rewrite (supp_zP rmu0 muE).
move=> f; rewrite (trans_gt0 D) => /(implyP (leads f))/andP[A_hf first_f]; rewrite mulr_gt0 ?(trans_gt0 D) //.
by rewrite (shows_gt0 _ (first_shows D f)) // mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

End Decided.

(** ** What a generated file applies *)

Section Page.

Variables (n c K : nat) (p : seq Q) (A W mu : seq (seq Q)).
Notation T := (tables_of n c p A W).
Notation M := (integers2 mu).
Context {valid : valid_hmm (table n c p A W)} {R : realFieldType}.
Notation m := (of_hmm_table R valid).
Notation task := (@matrix R mu K.+1 n.+1).
Notation X := (ordinal_finType c.+1).
Notation H := (ordinal_finType n.+1).

Let D := page_describes R valid.
Let mu_gt0 := common_gt0 R (flatten mu).
Let muE := @task_shown n c K p A W mu R.

Theorem holds_message_passing (x : seq X) (i : nat) : (1 <= i <= size x)%N ->
  (forall h, tau m (embed m x) i h = masked_joint m x i h) /\ (forall z, Gbar m (embed m x) i z = G m x i z).
Proof. exact: lemma_message_passing. Qed.

Theorem holds_footnote_1 (E E' : X) (x : seq X) (z : X) : G m (E :: x) 1 z = G m (E' :: x) 1 z.
Proof. by case: (footnote_1 m E E' x z). Qed.

Theorem holds_B_1 (u : letter R H) (y : seq X) (i : nat) : is_prompt u -> (1 <= i <= (size y).+1)%N ->
  let xhat := prompted y in let ehat := u :: embed m y in [/\ forall h, tau m ehat i h = hat_masked_joint m u xhat i h,
      (1 < i)%N -> forall z, Gbar m ehat i z = G_hat m u xhat i (Some z), (1 < i)%N -> forall z, Gbar m ehat i z =
        \sum_h emit m z h * (hat_masked_joint m u xhat i h / hat_masked_prob m u xhat i) &
      hat_masked_prob m u xhat i = 0 -> forall z, Gbar m ehat i z = 0].
Proof. exact: lemma_B_1. Qed.

Theorem holds_3_4 e : independent_z T xpredT e -> exists L : H -> X -> R, forall (x : seq X) (i : nat), (1 <= i <= size x)%N ->
  0 < masked_prob m x i -> forall h, masked_posterior m x i h = \sum_z L h z * G m x i z.
Proof. by move=> /(independent_ok D)/equation_3_4_for_G[L ok]; exists L => x i le_i _ h; exact: ok. Qed.
Theorem fails_3_4 ts : no_inverse_z T ts -> ~ exists L : H -> X -> R, forall (x : seq X) (i : nat), (1 <= i <= size x)%N ->
  0 < masked_prob m x i -> forall h, masked_posterior m x i h = \sum_z L h z * G m x i z.
Proof. exact: (no_inverse_ok D). Qed.

Theorem holds_A_1 S : diagonals_z T S -> forall i, (1 <= i)%N ->
  exists2 d : H -> R, (forall h, d h != 0) & forall x : seq X, is_input m x -> 0 < prob m (nseq i free ++ embed m x) /\
  exists2 r : R, 0 < r & forall h, posterior m (nseq i free ++ embed m x) i h = r * (d h * posterior m (embed m x) 0 h).
Proof. exact: (diagonals_ok D). Qed.
Theorem fails_A_1 i h x : (1 <= i)%N && no_diagonal_z T i h x -> ~ forall i, (1 <= i)%N ->
  exists2 d : H -> R, (forall h, d h != 0) & forall x : seq X, is_input m x -> 0 < prob m (nseq i free ++ embed m x) /\
  exists2 r : R, 0 < r & forall h, posterior m (nseq i free ++ embed m x) i h = r * (d h * posterior m (embed m x) 0 h).
Proof. by case/andP=> i1 /(no_diagonal_ok D) no /(_ i i1)[d d0 ok]; apply: no; exists d => // y /ok[]. Qed.

Theorem fails_section_3_1 u x : prompt_ok n u && together_z T (integers u) x ->
  ~ forall (u : letter R H) (x : seq X) (i : nat), is_prompt u -> (1 <= i <= (size x).+1)%N ->
  0 < hat_masked_prob m u (prompted x) i -> forall z, Gbar m (u :: embed m x) i z = G_hat m u (prompted x) i (Some z).
Proof.
case/andP=> /prompt_okP u01 together claim.
have possible := together_gt0 D (common_gt0 R u) (@prompt_shown n c p A W R u) together.
have [z /eqP[]] := section_3_1_everywhere (u01 R) possible.
by apply: claim; [exact: u01 R | | exact: lt_le_trans possible (P_hat_le_masked m (u01 R) _)].
Qed.

Notation B_2 := (forall u : letter R H, is_prompt u ->
  exists2 d : H -> R, (forall h, d h != 0) & forall (E : X) (x : seq X), 0 < hat_masked_prob m u (prompted (E :: x)) 2 ->
  0 < P_X m x /\ exists2 r : R, 0 < r & forall h,
  hat_masked_joint m u (prompted (E :: x)) 2 h / hat_masked_prob m u (prompted (E :: x)) 2 =
    r * (d h * (joint m [:: u; free] 2 h * posterior m (embed m x) 0 h))).
Theorem holds_B_2 : within_z T (times_A T (first_z T)) (p0 T) -> B_2.
Proof.
move=> /(prior_covers_ok D) covers u u01; have [d d0 ok] := rule_prior_covers covers u01.
by exists d => // E x; exact: (ok E x).1.
Qed.
Theorem fails_B_2 h x : prior_misses_z T h x -> ~ B_2.
Proof.
case/and5P=> lt_h ok p0h p2 b0 claim; pose g : H := Ordinal lt_h.
apply: (@rule_prior_misses _ _ _ m g ord0 (text c x)); first by apply: (shows_zero (d0_gt0 D) (init_shown D g)).
- by rewrite (shows_gt0 _ (P_H_shows D 2 g)) ?mulr_gt0 ?exprn_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
- by rewrite (beta_gt0 D).
have [|d _ eq] := claim (fun=> 1); first by move=> h'; rewrite ler01 lexx.
by exists d => y /(eq ord0)[_ [r _ eq_r]]; exists r.
Qed.

Theorem holds_eq_3_3 : within_z T (times_A T (first_z T)) (p0 T) -> forall u : letter R H, is_prompt u -> 0 < dot u (P_H m 1) ->
  exists2 d : H -> R, (forall h, d h != 0) & forall (E : X) (x : seq X), is_input m x -> exists2 r : R, 0 < r & forall z,
  Gbar m (u :: embed m (E :: x)) 2 z =
    r * \sum_h emit m z h * (d h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)).
Proof.
move=> /(prior_covers_ok D) covers u u01 _; have [d d0 ok] := rule_prior_covers covers u01.
by exists d => // E x [_ pos]; exact: (ok E x).2.
Qed.

Theorem fails_eq_3_3 u xs y : prompt_ok n u && no_output_diagonal_z T (integers u) xs (integers2 y) ->
  ~ forall u : letter R H, is_prompt u -> 0 < dot u (P_H m 1) -> exists2 d : H -> R, (forall h, d h != 0) &
  forall (E : X) (x : seq X), is_input m x -> exists2 r : R, 0 < r & forall z, Gbar m (u :: embed m (E :: x)) 2 z =
    r * \sum_h emit m z h * (d h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)).
Proof.
case/andP=> /prompt_okP u01 /(no_output_diagonal_ok D (common_gt0 R u) (@prompt_shown n c p A W R u) (u01 R)
  (common_gt0 R (flatten y)) (y := fun t z => of_Q R (entry2 y t z)) (fun t z => integers2_entry R y _ _))[pos no] claim.
exact: no (claim _ (u01 R) pos).
Qed.

Notation zero_3_6 := (forall B : {set H}, independent (covered m B) (column m) -> supp task \subset covered m B ->
  forall (E : X) (x : seq X), 0 < P_X m x -> hat_masked_prob m (fun h => (h \in B)%:R) (prompted (E :: x)) 2 = 0 ->
  forall l k, dot (task l) (posterior m (embed m x) 0) = dot (task k) (posterior m (embed m x) 0)).
Theorem holds_3_6_zero : prompt_reaches_z T K M -> zero_3_6.
Proof.
move=> /(prompt_reaches_ok D mu_gt0 muE) reaches B _ sub E x pos zero l k.
by rewrite !(rule_prompt_reaches reaches sub pos zero).
Qed.
Theorem holds_3_6_zero_no_cover t : no_cover_z T K M [::] t -> zero_3_6.
Proof. by move=> /(no_cover_ok D mu_gt0 muE) none B indep sub; case: none; exists (covered m B), B. Qed.

End Page.
