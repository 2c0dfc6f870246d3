(** On a model that is built on a probabilistic automaton a head computes the task iff no word is accepted with
    probability above 1/2; and there is one that meets 3.2 and starts stationary. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.refutations
  statements.converse proofs.paths proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement proofs.walks
  proofs.rules_wielandt.

Section Automata.

Variables (R : realFieldType) (Q L : finType) (a : automaton R Q L).
Hypothesis L0 : (0 < #|L|)%N.
Notation place := (place Q L).
Notation token := (token L).
Notation mean := (mean_after a).
Notation accept := (acceptance a).
Notation Reader := (@Reader Q L).
Notation Side := (Side Q L).
Notation End := (End Q L).
Notation Hub := (Hub Q L).
Implicit Types (F : place -> R) (y : seq token) (w : seq L) (q : Q) (t : option L) (p : place).

Let n : R := #|L|%:R.
Lemma n_gt0 : 0 < n. Proof. by rewrite ltr0n. Qed.

Lemma mean_ge0 F p : (forall g, 0 <= F g) -> 0 <= mean F p.
Proof.
move=> F0; have n0 : 0 <= n by exact: ltW n_gt0.
case: p => [[[[q|] t]|[]]|[c|[]]] //=; last by rewrite divr_ge0 ?ler0n ?addr_ge0.
  rewrite divr_ge0 ?ler0n // addr_ge0 // divr_ge0 //; apply: sumr_ge0 => l _; apply: sumr_ge0 => q' _.
  by rewrite mulr_ge0 // (proj1 (amove_law a l q)).
rewrite divr_ge0 ?ler0n // addr_ge0 //; last by rewrite addr_ge0 // mulr_ge0 ?divr_ge0 ?ler0n ?ler01.
by rewrite divr_ge0 ?sumr_ge0.
Qed.

(** beta(y) at the states of a place. *)
Fixpoint bp y p : R := if y is z :: y then mean (fun g => (z == token_at g)%:R * bp y g) p else 1.

Lemma bp_ge0 y p : 0 <= bp y p.
Proof.
elim: y p => [|z y IH] p /=; first exact: ler01.
by apply: mean_ge0 => g; rewrite mulr_ge0 ?ler0n.
Qed.

Lemma accept_ge0 w q : 0 <= accept w q.
Proof.
elim: w q => [|l w IH] q /=; first exact: ler0n.
by apply: sumr_ge0 => q' _; rewrite mulr_ge0 ?(proj1 (amove_law a l q)).
Qed.

(** One letter more, and an end. *)
Lemma bp_letter l y q t : bp (inl (inl (Some l)) :: y) (Reader (Some q) t) =
  (\sum_q' amove a l q' q * bp y (Reader (Some q') (Some l))) / n / 2%:R.
Proof.
rewrite /= mul0r addr0; congr (_ / _ / _); rewrite (bigD1 l) //= [X in _ + X]big1 ?addr0 => [|k neq].
  by apply: eq_bigr => q' _; rewrite eqxx mul1r.
apply: big1 => q' _; rewrite (_ : _ == _ = false) ?mul0r ?mulr0 //.
by apply/eqP => -[eq_l]; rewrite eq_l eqxx in neq.
Qed.

Lemma bp_rival_letter l y t : bp (inl (inl (Some l)) :: y) (Reader None t) = bp y (Reader None (Some l)) / n / 2%:R.
Proof.
rewrite /= !mul0r !addr0; congr (_ / _ / _); rewrite (bigD1 l) //= eqxx mul1r big1 ?addr0 // => k neq.
rewrite (_ : _ == _ = false) ?mul0r //; by apply/eqP => -[eq_l]; rewrite eq_l eqxx in neq.
Qed.

Lemma bp_end c y q t : bp (inl (inr c) :: y) (Reader (Some q) t) = bp y (End c) / 2%:R * ((q \in accepting a) == c)%:R.
Proof.
rewrite /= big1 => [|l _]; last by apply: big1 => q' _; rewrite mul0r mulr0.
rewrite mul0r add0r [RHS]mulrAC; congr (_ / _); rewrite mulrC (_ : (_ == _ :> token) = (c == (q \in accepting a))) //.
by rewrite [_ == c]eq_sym; case: eqP => [<-|_]; rewrite ?mul0r.
Qed.

Lemma bp_rival_end (c : bool) y t : bp (inl (inr c) :: y) (Reader None t) =
  bp y (End c) / 2%:R * (if c then 1 / 4%:R else 3%:R / 4%:R).
Proof.
rewrite /= big1 => [|l _]; last by rewrite mul0r.
rewrite mul0r add0r [RHS]mulrAC; congr (_ / _).
by case: c; rewrite /= !mul1r !mul0r ?addr0 ?add0r.
Qed.

Lemma bp_elsewhere (z : token) y (r : option Q) t :
  (forall l, z != inl (inl (Some l)) :> token) -> (forall c, z != inl (inr c) :> token) -> bp (z :: y) (Reader r t) = 0.
Proof.
move=> no_letter no_end; have letters l := negbTE (no_letter l); have ends c := negbTE (no_end c).
case: r => [q|] /=; rewrite !ends !mul0r ?addr0 big1 ?mul0r ?mul0r // => l _; rewrite ?letters ?mul0r //.
by apply: big1 => q' _; rewrite mul0r mulr0.
Qed.

Lemma scaled (x y : R) : x * y / n / 2%:R = x / n / 2%:R * y.
Proof. by rewrite -!mulrA; congr (_ * _); rewrite mulrC -mulrA. Qed.

(** What is read after $ weighs the automaton and the rival in three ways only. *)
Lemma shapes y : exists2 k, 0 <= k & [\/ forall (r : option Q) t, bp y (Reader r t) = k,
  exists w, forall t, (forall q, bp y (Reader (Some q) t) = k * accept w q) /\ bp y (Reader None t) = k * (1 / 4%:R) |
  exists w, forall t, (forall q, bp y (Reader (Some q) t) = k * (1 - accept w q)) /\
    bp y (Reader None t) = k * (3%:R / 4%:R)].
Proof.
elim: y => [|z y [k k0 shape]]; first by exists 1; [exact: ler01 | constructor 1].
have c0 : 0 <= k / n / 2%:R by rewrite !divr_ge0 ?ler0n // ltW ?n_gt0.
case: z => [[[l|]|c]|c]; last first.
- by exists 0 => //; constructor 1 => r t; rewrite bp_elsewhere.
- exists (bp y (End c) / 2%:R); first by rewrite divr_ge0 ?bp_ge0 ?ler0n.
  case: c; [constructor 2 | constructor 3]; exists [::] => t; split=> [q|];
    rewrite ?bp_rival_end // bp_end; congr (_ * _).
    by rewrite /=; case: (q \in _).
  by rewrite /=; case: (q \in _); rewrite ?subrr ?subr0.
- by exists 0 => //; constructor 1 => r t; rewrite bp_elsewhere.
exists (k / n / 2%:R) => //; case: shape => [eq_k|[w eq_w]|[w eq_w]].
- constructor 1 => -[q|] t; last by rewrite bp_rival_letter eq_k.
  rewrite bp_letter; congr (_ / _ / _); under eq_bigr do rewrite eq_k.
  by rewrite -mulr_suml (proj2 (amove_law a l q)) mul1r.
- constructor 2; exists (l :: w) => t; split=> [q|]; last by rewrite bp_rival_letter (proj2 (eq_w _)) scaled.
  rewrite bp_letter -scaled; congr (_ / _ / _); rewrite /= mulr_sumr; apply: eq_bigr => q' _.
  by rewrite (proj1 (eq_w _)) mulrCA.
constructor 3; exists (l :: w) => t; split=> [q|]; last by rewrite bp_rival_letter (proj2 (eq_w _)) scaled.
rewrite bp_letter -scaled; congr (_ / _ / _).
have -> : 1 - accept (l :: w) q = \sum_q' amove a l q' q * (1 - accept w q').
  by under eq_bigr do rewrite mulrBr mulr1; rewrite sumrB (proj2 (amove_law a l q)).
by rewrite mulr_sumr; apply: eq_bigr => q' _; rewrite (proj1 (eq_w _)) mulrCA.
Qed.

(** The word w, and then #. *)
Definition word_end w : seq token := map (fun l => inl (inl (Some l))) w ++ [:: inl (inr true)].

Lemma bp_word_end w : exists2 k, 0 < k & forall t,
  (forall q, bp (word_end w) (Reader (Some q) t) = k * accept w q) /\ bp (word_end w) (Reader None t) = k * (1 / 4%:R).
Proof.
elim: w => [|l w [k k0 eq_w]].
  exists (1 / 2%:R) => [|t]; first by rewrite divr_gt0 ?ltr01 ?ltr0n.
  by split=> [q|]; [rewrite bp_end eqb_id | rewrite bp_rival_end].
exists (k / n / 2%:R) => [|t]; first by rewrite !divr_gt0 ?n_gt0 ?ltr0n.
split=> [q|]; last by rewrite bp_rival_letter (proj2 (eq_w _)) scaled.
rewrite bp_letter -scaled; congr (_ / _ / _); rewrite /= mulr_sumr; apply: eq_bigr => q' _.
by rewrite (proj1 (eq_w _)) mulrCA.
Qed.

(** ** The states of a model built on the automaton *)

Variables (H : finType) (m : hmm R H token) (at_place : H -> place) (s r : H).
Hypotheses (built : built_on a m at_place) (at_s : at_place s = Side true) (at_r : at_place r = Side false).
Hypotheses (s0 : 0 < init m s) (r0 : 0 < init m r).
Notation mu := (automaton_task m s r).
Notation dollar := (inl (inl None) : token).

Lemma beta_bp x h : beta_of m x h = bp x (at_place h).
Proof.
elim: x h => //= z x IH h; rewrite -(proj2 built); apply: eq_bigr => h' _.
by rewrite -IH /e (proj1 built).
Qed.

(** F*'s score, up to a positive factor. *)
Definition score x : R := 2%:R * bp x (Side false) - bp x (Side true).

Lemma P_X_gt0 x : 0 < bp x (Side false) -> 0 < P_X m x.
Proof.
move=> pos; rewrite /P_X probE (bigD1 r) //= ltr_paddr //; last first.
  by rewrite -/(beta_of m x r) beta_bp at_r mulr_gt0.
by apply: sumr_ge0 => h _; rewrite -/(beta_of m x h) beta_bp mulr_ge0 ?bp_ge0 ?(proj1 (init_law m)).
Qed.

Lemma label_score x : 0 < P_X m x -> (F_star m (binary mu) x == ord_max) = (0 <= score x).
Proof.
move=> pos; rewrite label_binary -(pmulr_lge0 _ pos); congr (0 <= _).
rewrite /dot (eq_bigr (fun h => mu h * init m h * bp x (at_place h) / P_X m x)) => [|h _]; last first.
  by rewrite posterior0 -/(beta_of m x h) beta_bp !mulrA.
rewrite -mulr_suml divfK ?gt_eqF // /score -at_s -at_r.
have nz h : (0 < init m h) -> init m h != 0 by move=> h0; rewrite gt_eqF.
pose f h := 2%:R * ((h == r)%:R * bp x (at_place h)) - (h == s)%:R * bp x (at_place h).
rewrite (eq_bigr f) => [|h _]; last first.
  rewrite /f /automaton_task mulrBl mulrBl; congr (_ - _).
    case: eqP => [->|_]; last by rewrite mulr0 !mul0r mulr0.
    by rewrite mulr1 mul1r divfK ?nz.
  case: eqP => [->|_]; last by rewrite !mul0r.
  by rewrite divfK ?nz.
by rewrite sumrB -mulr_sumr -!/(dot _ _) !dot_delta.
Qed.

Lemma bp_dollar y p : bp (dollar :: y) p =
  if p is inl (inr automatic) then bp y (Reader (if automatic then Some (astart a) else None) None) else 0.
Proof. case: p => [[[[q|] t]|c]|[c|[]]]; rewrite ?bp_elsewhere //=; rewrite ?mul1r ?mul0r ?addr0 ?mul0r //. Qed.

Lemma twice_quarter : 2%:R * (1 / 4%:R) = 1 / 2%:R :> R.
Proof. by rewrite !mul1r (natrM _ 2 2) invfM mulrA divff ?pnatr_eq0 // mul1r. Qed.

Lemma score_ge0 x : (forall w, accept w (astart a) <= 1 / 2%:R) -> 0 <= score x.
Proof.
move=> low; case: x => [|z y]; first by rewrite /score /= mulr1 subr_ge0 ler1n.
have [->|other] := eqVneq z dollar; last first.
  by rewrite /score /= (negbTE other) !mul0r mulr0 subr0.
rewrite /score !bp_dollar /=; have [k k0 [eq_k|[w eq_w]|[w eq_w]]] := shapes y.
- by rewrite !eq_k mulr_natl mulr2n addrK.
- by rewrite (proj1 (eq_w _)) (proj2 (eq_w _)) mulrCA -mulrBr mulr_ge0 // subr_ge0 twice_quarter.
rewrite (proj1 (eq_w _)) (proj2 (eq_w _)) mulrCA -mulrBr mulr_ge0 // opprB addrCA addr_ge0 ?accept_ge0 // subr_ge0.
by rewrite mulrA -natrM ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
Qed.

(** Every head gives $ and $w# one label: its output is o at both, or 0 at both. *)
Lemma same_label K (b : 'I_K.+1 -> token -> R) (weight : H -> R) w : (forall h, 0 <= weight h) ->
  0 < accept w (astart a) ->
  label_at m (head_rows m b weight) [:: dollar] = label_at m (head_rows m b weight) (dollar :: word_end w).
Proof.
move=> w0 pos; pose mass x := \sum_h weight h * bp x (at_place h).
have scores y l : dot (head_rows m b weight l) (beta_of m (dollar :: y)) = b l (inr true) * mass (dollar :: y).
  rewrite /mass mulr_sumr; apply: eq_bigr => h _; rewrite beta_bp /head_rows bp_dollar.
  case eq_h: (at_place h) => [[//|automatic]|//]; rewrite ?mulr0 // mulrA; congr (_ * _ * _).
  rewrite /dot (eq_bigr (fun z => (z == inr true)%:R * b l z)) => [|z _]; last first.
    by rewrite /column (proj1 built) eq_h mulrC.
  exact: dot_delta.
have mass0 x : (forall h, 0 <= weight h * bp x (at_place h)) by move=> h; rewrite mulr_ge0 ?bp_ge0.
have [k k0 eq_w] := bp_word_end w.
have sides (automatic : bool) : 0 < bp (dollar :: word_end w) (Side automatic).
  rewrite bp_dollar; case: automatic => /=; rewrite ?(proj1 (eq_w _)) ?(proj2 (eq_w _)) mulr_gt0 //.
  by rewrite divr_gt0 ?ltr01 ?ltr0n.
have both0 : (mass [:: dollar] == 0) = (mass (dollar :: word_end w) == 0).
  rewrite !psumr_eq0 //; apply: eq_all => h.
  rewrite -[LHS]/(weight h * bp [:: dollar] (at_place h) == 0).
  rewrite -[RHS]/(weight h * bp (dollar :: word_end w) (at_place h) == 0) !mulf_eq0; congr (_ || _).
  case eq_h: (at_place h) => [[p|automatic]|p]; first by rewrite !bp_dollar.
    by rewrite (gt_eqF (sides automatic)) bp_dollar oner_eq0.
  by rewrite !bp_dollar.
rewrite /label_at (label_ext (scores [::])) [RHS](label_ext (scores (word_end w))).
have [zero|nz] := eqVneq (mass [:: dollar]) 0.
  have zero' : mass (dollar :: word_end w) = 0 by apply/eqP; rewrite -both0 zero.
  by rewrite zero zero'.
have nz' : mass (dollar :: word_end w) != 0 by rewrite -both0.
have pos_mass x : mass x != 0 -> 0 < mass x by move=> nzx; rewrite lt0r nzx sumr_ge0.
apply: (label_scale_eq (r := mass [:: dollar] / mass (dollar :: word_end w))); first by rewrite divr_gt0 ?pos_mass.
by move=> l; rewrite [b l _ * mass (_ :: word_end w)]mulrC mulrA divfK // mulrC.
Qed.

(** What holds of heads that weigh the states by any weights. *)
Lemma serves_iff (weight : H -> R) (serves : Prop) : (forall h, 0 <= weight h) ->
  (serves <-> exists b : 'I_2 -> token -> R, forall x, 0 < P_X m x ->
    F_star m (binary mu) x = label_at m (head_rows m b weight) x) ->
  serves <-> forall w, accept w (astart a) <= 1 / 2%:R.
Proof.
move=> w0 ->; split=> [[b right] w|low]; last first.
  exists (fun _ _ => 0) => x pos; apply/eqP; rewrite eq_sym; have := label_score pos; rewrite score_ge0 // => /eqP->.
  rewrite -[_ == _]/(label (fun l => dot (head_rows m (fun _ _ => 0) weight l) (beta_of m x)) == ord_max).
  rewrite (label_ext (s' := fun l => dot (binary (fun=> 0) l) (beta_of m x))) ?label_binary => [|l].
    by rewrite /dot big1 // => h _; rewrite mul0r.
  apply: eq_dot => // h; rewrite /head_rows /dot big1 ?mul0r => [|z _]; last exact: mul0r.
  by rewrite /binary; case: ifP.
have [//|high] := leP; have pos : 0 < accept w (astart a) by apply: lt_trans high; rewrite divr_gt0 ?ltr01 ?ltr0n.
have [k k0 eq_w] := bp_word_end w.
have P1 : 0 < P_X m [:: dollar] by rewrite P_X_gt0 // bp_dollar ltr01.
have P2 : 0 < P_X m (dollar :: word_end w).
  by rewrite P_X_gt0 // bp_dollar /= (proj2 (eq_w _)) mulr_gt0 // divr_gt0 ?ltr01 ?ltr0n.
have := label_score P2; have := label_score P1; rewrite !right // (same_label b w0 pos) => ->.
rewrite /score !bp_dollar /= (proj1 (eq_w _)) (proj2 (eq_w _)) mulr1 mulrCA -mulrBr twice_quarter.
by rewrite pmulr_rge0 // !subr_ge0 ler1n (lt_geF high).
Qed.

End Automata.

Theorem heads_and_automata : statement_automata.
Proof.
move=> R Q L a H m at_place s r L0 built at_s at_r s0 r0 mu.
have law0 h : 0 <= P_H m 1 h by exact: P_H_ge0.
have dollar : token L := inl (inl None).
split.
  apply: (serves_iff L0 built at_s at_r s0 r0 law0); split=> -[b right]; exists b.
    by move=> x pos; rewrite (right dollar) // rule_head.
  by move=> E x pos; rewrite right // rule_head.
have behind_iff u : is_prompt u -> prompted_head_serves m u mu <-> forall w, acceptance a w (astart a) <= 1 / 2%:R.
  move=> u01; have weight0 h : 0 <= behind m u h.
    by apply: next_ge0 => g; rewrite mulr_ge0 //; case/andP: (u01 g).
  apply: (serves_iff L0 built at_s at_r s0 r0 weight0); split=> -[b right]; exists b.
    by move=> x pos; rewrite (right dollar) // rule_prompted_head.
  by move=> E x pos; rewrite right // rule_prompted_head.
split=> [[u u01 /(behind_iff u u01)]|low] //.
have u01 : is_prompt (fun _ : H => 1 : R) by move=> h; apply/andP; split; [exact: ler01 | exact: lexx].
by exists (fun _ => 1) => //; exact: (proj2 (behind_iff _ u01)).
Qed.

(** ** A model of each automaton *)

Section Built.

Variables (R : realFieldType) (Q L : finType) (a : automaton R Q L).
Hypothesis L0 : (0 < #|L|)%N.
Notation place := (place Q L).
Notation token := (token L).
Notation mean := (mean_after a).

Lemma mean_sum (I : finType) (c : I -> R) (F : I -> place -> R) p :
  mean (fun g => \sum_i c i * F i g) p = \sum_i c i * mean (F i) p.
Proof.
have sum2 (f1 f2 : I -> R) : \sum_i c i * f1 i + \sum_i c i * f2 i = \sum_i c i * (f1 i + f2 i).
  by rewrite -big_split; apply: eq_bigr => i _; rewrite mulrDr.
have div (f : I -> R) d : (\sum_i c i * f i) * d = \sum_i c i * (f i * d).
  by rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulrA.
have out (J : finType) (f : J -> I -> R) : \sum_j \sum_i c i * f j i = \sum_i c i * \sum_j f j i.
  by rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr.
case: p => [[[[q|] t]|automatic]|[c'|[]]] //=; last by rewrite sum2 div.
  rewrite (eq_bigr (fun l => \sum_i c i * \sum_q' amove a l q' q * F i (Reader (Some q') (Some l)))) => [|l _].
    by rewrite out div sum2 div.
  rewrite -out; apply: eq_bigr => q' _; rewrite mulr_sumr; apply: eq_bigr => i _; exact: mulrCA.
by rewrite out !div sum2 sum2 div.
Qed.

Lemma mean_one p : mean (fun=> 1) p = 1.
Proof.
have n0 : #|L|%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have two : (1 + 1) / 2%:R = 1 :> R by rewrite -[1 + 1]/(2%:R) divff // pnatr_eq0.
case: p => [[[[q|] t]|automatic]|[c'|[]]] //=.
  rewrite (eq_bigr (fun=> 1)) => [|l _]; first by rewrite sumr_const divff.
  by under eq_bigr do rewrite mulr1; exact: (proj2 (amove_law a l q)).
have four : 1 / 4%:R + 3%:R / 4%:R = 1 :> R by rewrite -mulrDl -[1 + 3%:R]/(4%:R) divff ?pnatr_eq0.
by rewrite sumr_const divff // [1 * (1 / _)]mul1r [1 * (3%:R / _)]mul1r four.
Qed.

Lemma eq_mean F F' p : F =1 F' -> mean F p = mean F' p.
Proof.
move=> eq_F; case: p => [[[[q|] t]|automatic]|[c'|[]]] //=; rewrite ?eq_F //; congr ((_ / _ + _) / _).
  by apply: eq_bigr => l _; apply: eq_bigr => q' _; rewrite eq_F.
by apply: eq_bigr => l _; rewrite eq_F.
Qed.

(** The mean is that of the law that it gives each place. *)
Lemma mean_delta F p : \sum_g mean (fun f => (f == g)%:R) p * F g = mean F p.
Proof.
under eq_bigr do rewrite mulrC; rewrite -mean_sum; apply: eq_mean => f.
by rewrite (bigD1 f) //= eqxx mulr1 big1 ?addr0 // => g; rewrite eq_sym => /negbTE->; rewrite mulr0.
Qed.

Lemma mean_law p : is_law (fun g => mean (fun f => (f == g)%:R) p).
Proof.
split=> [g|]; first by apply: mean_ge0 => // f; exact: ler0n.
by rewrite -[RHS](mean_one p) -[RHS]mean_delta; apply: eq_bigr => g _; rewrite mulr1.
Qed.

Lemma token_law (p : place) : is_law (fun z : token => (z == token_at p)%:R : R).
Proof.
split=> [z|]; first exact: ler0n.
by rewrite (bigD1 (token_at p)) //= eqxx big1 ?addr0 // => z /negbTE->.
Qed.

End Built.

Theorem automaton_model : statement_automata_built.
Proof.
move=> R Q L a p L0 p_law; exists (HMM p_law (mean_law a L0) (@token_law R Q L)); last by [].
split=> [z h|F h]; [by [] | exact: mean_delta].
Qed.

(** ** The places that can be reached: 3.2 and a stationary start *)

(** Each stochastic matrix has a law that it leaves as it is: some f, not 0, is left, and then so is its modulus. *)
Lemma exists_stationary (R : realFieldType) (H : finType) (T : H -> H -> R) (h0 : H) :
  (forall h, is_law (fun h' => T h' h)) -> exists2 p : H -> R, is_law p & forall h', p h' = \sum_h T h' h * p h.
Proof.
move=> law; pose B := \matrix_(i < #|H|, j < #|H|) (T (enum_val j) (enum_val i) - (i == j)%:R).
have [f nz left_f] : exists2 f : H -> R, exists h, f h != 0 & forall h', f h' = \sum_h T h' h * f h.
  have /det0P[v v0 vB] : \det B == 0.
    rewrite -det_tr; apply/det0P; exists (const_mx 1).
      by apply/eqP => /matrixP/(_ ord0 (enum_rank h0))/eqP; rewrite !mxE oner_eq0.
    apply/matrixP => i j; rewrite !mxE (eq_bigr (fun k => T (enum_val k) (enum_val j) - (j == k)%:R)) => [|k _].
      rewrite sumrB -(sum_enum (fun h => T h (enum_val j))) (proj2 (law _)) (bigD1 j) //= eqxx big1 ?addr0 ?subrr //.
      by move=> k /negbTE; rewrite eq_sym => ->.
    by rewrite !mxE mul1r.
  exists (fun h => v ord0 (enum_rank h)) => [|h'].
    have /rV0Pn[i nz] : v != 0 by []; exists (enum_val i); by rewrite enum_valK.
  rewrite sum_enum; apply/eqP; rewrite eq_sym -subr_eq0; apply/eqP.
  have /matrixP/(_ ord0 (enum_rank h')) := vB; rewrite !mxE => zero; rewrite -[RHS]zero.
  rewrite [X in _ - X](_ : _ = \sum_i v ord0 i * (i == enum_rank h')%:R).
    rewrite -sumrB; apply: eq_bigr => i _; rewrite !mxE enum_valK enum_rankK mulrBr; congr (_ - _); exact: mulrC.
  by rewrite (bigD1 (enum_rank h')) //= eqxx mulr1 big1 ?addr0 // => i /negbTE->; rewrite mulr0.
pose s := \sum_h `|f h|; have s0 : 0 < s.
  have [h fh] := nz; rewrite /s (bigD1 h) //=; apply: ltr_paddr; last by rewrite normr_gt0.
  by apply: sumr_ge0 => g _; exact: normr_ge0.
have le_f h' : 0 <= \sum_h T h' h * `|f h| - `|f h'|.
  rewrite subr_ge0 {1}left_f; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => h _.
  by rewrite normrM ger0_norm // (proj1 (law h)).
have eq_f h' : \sum_h T h' h * `|f h| = `|f h'|.
  have : \sum_h' (\sum_h T h' h * `|f h| - `|f h'|) = 0.
    rewrite sumrB exchange_big /= (eq_bigr (fun h => `|f h|)) ?subrr // => h _.
    by rewrite -mulr_suml (proj2 (law h)) mul1r.
  move/eqP; rewrite psumr_eq0 // => /allP/(_ h'); rewrite mem_index_enum => /(_ isT).
  by rewrite /= subr_eq0 => /eqP.
exists (fun h => `|f h| / s) => [|h'].
  split=> [h|]; first by rewrite divr_ge0 ?normr_ge0 // ltW.
  by rewrite -mulr_suml divff // gt_eqF.
by rewrite -eq_f mulr_suml; apply: eq_bigr => h _; rewrite mulrA.
Qed.

Section Reached.

Variables (R : realFieldType) (Q L : finType) (a : automaton R Q L).
Hypothesis L0 : (0 < #|L|)%N.
Notation place := (place Q L).
Notation mean := (mean_after a).
Notation Hub := (Hub Q L).

(** The probability of the place g after p, and the places that can come after the hub. *)
Definition to_place (g p : place) : R := mean (fun f => (f == g)%:R) p.
Definition back : rel place := fun g p => 0 < to_place g p.
Definition reached : finType := [finType of {p : place | connect back p Hub}].
Implicit Types (h : reached) (p g : place).

Lemma to_place_ge0 g p : 0 <= to_place g p. Proof. by apply: mean_ge0 => // f; exact: ler0n. Qed.

Lemma reached_next g h : 0 < to_place g (val h) -> connect back g Hub.
Proof. by move=> pos; apply: connect_trans (connect1 pos) (valP h). Qed.

Lemma sum_reached (F : place -> R) h : \sum_(h' : reached) to_place (val h') (val h) * F (val h') = mean F (val h).
Proof.
rewrite -(mean_delta a) [RHS](bigID (fun g => connect back g Hub)) /= [X in _ + X]big1 ?addr0 => [|g unreached].
  rewrite [RHS](reindex_omap (val : reached -> place) insub) => [|g reach]; last by rewrite insubT.
  by apply: eq_bigl => h'; rewrite valK eqxx andbT; have := valP h'.
have [/reached_next reach|] := boolP (0 < to_place g (val h)); first by rewrite reach in unreached.
by rewrite lt0r to_place_ge0 andbT negbK /to_place => /eqP->; rewrite mul0r.
Qed.

Lemma reached_law h : is_law (fun h' : reached => to_place (val h') (val h)).
Proof.
split=> [h'|]; first exact: to_place_ge0.
by rewrite -[RHS](mean_one a L0 (val h)) -sum_reached; apply: eq_bigr => h' _; rewrite mulr1.
Qed.

Definition hub : reached := exist _ Hub (connect0 back Hub).

Definition reached_model (p : reached -> R) (p_law : is_law p) : hmm R reached (token L) :=
  HMM p_law reached_law (fun h => token_law R (val h)).

Variables (start : reached -> R) (start_law : is_law start).
Notation m := (reached_model start_law).

Lemma step_on g h : 0 < to_place g (val h) -> exists2 h', val h' = g & step_back m h' h.
Proof. by move=> pos; exists (exist _ g (reached_next pos)). Qed.

Lemma from_hub h : connect (step_back m) h hub.
Proof.
have [k] := connect_walk (valP h); elim: k h => [|k IH] h /=; first by move/eqP/(@val_inj _ _ _ h hub)->.
case/existsP=> g /andP[pos rest].
have g_reached : connect back g Hub by exact: walk_connect rest.
pose h' : reached := exist _ g g_reached; have step : step_back m h h' by [].
exact: connect_trans (connect1 step) (IH h' rest).
Qed.

(** The steps of the rival, and to the ends. *)
Lemma half_gt0 : 0 < 1 / 2%:R :> R. Proof. by rewrite divr_gt0 ?ltr01 ?ltr0n. Qed.

Lemma hub_side b : 0 < to_place (Side Q L b) Hub.
Proof. by rewrite /to_place /=; case: b; rewrite /= ?addr0 ?add0r half_gt0. Qed.

Lemma side_reader b : 0 < to_place (Reader (if b then Some (astart a) else None) None) (Side Q L b).
Proof. by rewrite /to_place /= eqxx ltr01. Qed.

Lemma reader_end q t : exists c, 0 < to_place (End Q L c) (Reader q t).
Proof.
have n0 : 0 <= #|L|%:R :> R by exact: ler0n.
case: q => [q|]; [exists (q \in accepting a) | exists true]; rewrite /to_place /= divr_gt0 ?ltr0n //.
  rewrite eqxx ltr_paddl ?ltr01 // divr_ge0 //; apply: sumr_ge0 => l _; apply: sumr_ge0 => q' _.
  by rewrite mulr_ge0 ?ler0n // (proj1 (amove_law a l q)).
rewrite !mul1r mul0r addr0 ltr_paddl ?invr_gt0 ?ltr0n // divr_ge0 //; apply: sumr_ge0 => l _; exact: ler0n.
Qed.

Lemma rival_letter l t : 0 < to_place (Reader None (Some l)) (Reader None t).
Proof.
rewrite /to_place /= divr_gt0 ?ltr0n // !mul0r !addr0 divr_gt0 ?ltr0n // (bigD1 l) //= eqxx.
by rewrite ltr_paddr ?ltr01 //; apply: sumr_ge0 => k _; exact: ler0n.
Qed.

Lemma end_hub c : 0 < to_place Hub (End Q L c). Proof. by rewrite /to_place /= ltr01. Qed.

(** A walk of k steps from h to the hub. *)
Notation to_hub k h := (walk (step_back m) k hub h).

Lemma step_to_hub k g h : 0 < to_place g (val h) -> (forall h', val h' = g -> to_hub k h') -> to_hub k.+1 h.
Proof. by move=> /step_on[h' eq_h' step] walks; rewrite -addn1; apply: walk_cat (walks _ eq_h') _; rewrite walk1. Qed.

Lemma end_to_hub c h : val h = End Q L c -> to_hub 1 h.
Proof.
move=> eq_h; apply: (@step_to_hub _ Hub) => [|h' eq_h']; first by rewrite eq_h end_hub.
by apply/eqP/val_inj; rewrite eq_h'.
Qed.

Lemma reader_to_hub q t h : val h = Reader q t -> to_hub 2 h.
Proof.
move=> eq_h; have [c pos] := reader_end q t.
by apply: (@step_to_hub _ (End Q L c)) => [|h']; [rewrite eq_h | exact: end_to_hub].
Qed.

Lemma side_to_hub b h : val h = Side Q L b -> to_hub 3 h.
Proof.
move=> eq_h; have pos := side_reader b.
by apply: step_to_hub => [|h' eq_h']; [rewrite eq_h; exact: pos | exact: reader_to_hub eq_h'].
Qed.

Lemma hub_to_hub : to_hub 4 hub /\ to_hub 5 hub.
Proof.
have [l _] : exists l : L, true by move: L0; rewrite cardE; case: (enum L) => // l s _; exists l.
split; (apply: (@step_to_hub _ (Side Q L false)) => [|h eq_h]; first exact: hub_side).
  exact: side_to_hub eq_h.
apply: (@step_to_hub _ (Reader None None)) => [|h1 eq_h1]; first by rewrite eq_h; exact: (side_reader false).
apply: (@step_to_hub _ (Reader None (Some l))) => [|h2 eq_h2]; first by rewrite eq_h1 rival_letter.
exact: reader_to_hub eq_h2.
Qed.

Lemma reaches_hub h : exists k, to_hub k h.
Proof.
case eq_h: (val h) => [[[q t]|b]|[c|[]]].
- by exists 2%N; exact: reader_to_hub eq_h.
- by exists 3%N; exact: side_to_hub eq_h.
- by exists 1%N; exact: end_to_hub eq_h.
by exists 0%N; apply/eqP/val_inj; rewrite eq_h.
Qed.

Lemma reached_ergodic : irreducible m /\ aperiodic m.
Proof.
split=> [h h'|h d div].
  have [k out] := connect_walk (from_hub h'); have [j home] := reaches_hub h.
  by exists (k + j)%N; rewrite power_walk; exact: walk_cat out home.
have [k out] := connect_walk (from_hub h); have [j home] := reaches_hub h; have [four five] := hub_to_hub.
have cycle n : to_hub n hub -> (d %| k + (n + j))%N.
  by move=> around; apply: div; rewrite power_walk; exact: walk_cat out (walk_cat around home).
by have := cycle _ five; rewrite addSn addnS -addn1 dvdn_addr ?dvdn1 ?cycle // => /eqP.
Qed.

End Reached.

Theorem automaton_model_stationary : statement_automata_stationary.
Proof.
move=> R Q L a L0; have [start law stat] := exists_stationary (hub a) (reached_law L0).
pose m := reached_model L0 law; have [irr aper] := reached_ergodic L0 law.
have side b : exists h : reached a, val h = Side Q L b.
  by have [h eq_h _] := step_on L0 law (h := hub a) (hub_side a b); exists h.
have [s eq_s] := side true; have [r eq_r] := side false.
exists (reached a), m, (val : reached a -> place Q L), s, r; split=> //; last first.
  split; last exact: stat.
  by split=> //; split=> //; exact: (remark_stationary_full_support (m := m) irr stat).
by split=> [z h|F h]; [by [] | exact: sum_reached].
Qed.
