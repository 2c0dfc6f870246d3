(** Rules of the certificate format: no head of the class exists (section 6). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths proofs.linear
  proofs.entered proofs.theorems_3 proofs.rules_agreement.

Section Constraints.

Variables (R : realFieldType) (X : finType) (K : nat) (F : seq X -> 'I_K.+1).
Notation constraint := (constraint R X K).
Implicit Types (score : 'I_K.+1 -> seq X -> R) (good : seq X -> Prop) (cs : seq constraint) (c : constraint).

(** What a head that is right gains over the rivals. *)
Definition gain score cs : R :=
  \sum_(c <- cs) weight c * (score (F (at_input c)) (at_input c) - score (rival c) (at_input c)).

(** A score that gives an input its label is at least that of each rival, and greater than that of a larger one. *)
Lemma label_gain (s : 'I_K.+1 -> R) l k : label s = l -> 0 <= s l - s k /\ ((l < k)%N -> 0 < s l - s k).
Proof.
move=> /labelP/forallP/(_ k)/orP[lt_kl|/andP[/eqP-> le_kl]]; rewrite subr_ge0 subr_gt0; first by rewrite ltW.
by split=> // lt_lk; rewrite leqNgt lt_lk in le_kl.
Qed.

(** Scores that give all inputs of constraints their labels gain. *)
Lemma gain_gt0 good score cs : constraints F good cs ->
  (forall c, c \in cs -> F (at_input c) = label (score^~ (at_input c))) -> 0 < gain score cs.
Proof.
move=> [cs_ok some_strict] right_label.
have term c : c \in cs -> let d := score (F (at_input c)) (at_input c) - score (rival c) (at_input c) in
    [/\ 0 < weight c, 0 <= d & strict F c -> 0 < d].
  move=> c_in d; have [_ _ w_gt0] := cs_ok c c_in.
  by have [d_ge0 d_gt0] := label_gain (rival c) (esym (right_label c c_in)).
have /hasP[c0 c0_in strict0] := some_strict; have [w0 _ /(_ strict0) d0] := term c0 c0_in.
rewrite /gain big_seq (big_rem c0) //= c0_in; apply: ltr_paddr; last exact: mulr_gt0.
rewrite big_seq_cond; apply: sumr_ge0 => c /andP[_ c_in].
by have [w_gt0 d_ge0 _] := term c c_in; rewrite mulr_ge0 // ltW.
Qed.

(** So where scores gain nothing, they give some input another label. *)
Lemma no_gain good score cs : constraints F good cs -> gain score cs <= 0 ->
  exists2 x, good x & F x <> label (score^~ x).
Proof.
move=> cs_ok le0; pose right_at c := F (at_input c) == label (score^~ (at_input c)).
have [/allP all_right|/allPn[c c_in /eqP wrong]] := boolP (all right_at cs).
  have := gain_gt0 cs_ok (fun c c_in => eqP (all_right c c_in)); by rewrite ltNge le0.
by exists (at_input c) => //; have [] := cs_ok.1 c c_in.
Qed.

(** For linear scores the gain is a functional of the combinations. *)
Lemma gain_combination (I : finType) (row : 'I_K.+1 -> I -> R) (feature : seq X -> I -> R) cs :
  gain (fun l x => dot (row l) (feature x)) cs = \sum_l \sum_i row l i * combination F (fun x => feature x i) cs l.
Proof.
rewrite /gain /combination; under [RHS]eq_bigr do under eq_bigr do rewrite mulr_sumr.
under [RHS]eq_bigr do rewrite exchange_big.
rewrite exchange_big; apply: eq_bigr => c _.
rewrite (eq_bigr (fun l => weight c * (((l == F (at_input c))%:R - (l == rival c)%:R) *
    dot (row l) (feature (at_input c))))) => [|l _]; last first.
  rewrite /dot !mulr_sumr; apply: eq_bigr => i _; rewrite -[weight c * _ * _]mulrA [LHS]mulrCA; congr (_ * _).
  by rewrite [LHS]mulrA; exact: mulrC.
rewrite -mulr_sumr; congr (_ * _); rewrite -/(dot _ _) dotB.
by rewrite (dot_delta _ (fun l => dot (row l) _)) (dot_delta _ (fun l => dot (row l) _)).
Qed.

(** The rows of a combination sum to 0. *)
Lemma sum_combination (feature : seq X -> R) cs : \sum_l combination F feature cs l = 0.
Proof.
rewrite /combination exchange_big big1 // => c _.
have sum_delta (k : 'I_K.+1) : \sum_l (l == k)%:R = 1 :> R.
  by rewrite (bigD1 k) //= eqxx big1 ?addr0 // => l /negbTE->.
by rewrite -mulr_sumr sumrB !sum_delta subrr mulr0.
Qed.

End Constraints.

Theorem rule_motzkin : statement_rule_motzkin.
Proof.
move=> R H X m K mu cs cs_ok zero b E.
have le0 : gain (F_star m mu) (fun l x => dot (b l) (phi_3_3 m x)) cs <= 0.
  by rewrite gain_combination big1 // => l _; rewrite big1 // => z _; rewrite zero mulr0.
have [x x_in wrong] := no_gain cs_ok le0; exists x; rewrite // rule_head => eq_label; apply: wrong.
rewrite eq_label; apply: label_ext => l; rewrite dot_emission; apply: eq_bigr => h _.
by rewrite mulrC -!mulrA [RHS]mulrC -!mulrA; congr (_ * _); rewrite mulrC.
Qed.

(** ** Regions of prompts and heads *)

Section Regions.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R).
Implicit Types (r : region R H K) (u : H -> R) (b : 'I_K.+1 -> X -> R).

(** y_l[h] = W[:,h]'(b_l - b_0). *)
Definition y b l h : R := dot (fun z => b l z - b ord0 z) (column m h).

(** (u, b) is in the region. *)
Definition inside r u b : Prop :=
  (forall f, low r f <= u f <= high r f) /\
  forall l h, plus r l h && (0 <= y b l h) || minus r l h && (y b l h <= 0).

(** A product is at most the larger of those at the bounds. *)
Lemma max_bound (s v lo hi : R) : lo <= v <= hi -> s * v <= Num.max (s * lo) (s * hi).
Proof.
move=> /andP[lo_v v_hi]; rewrite le_maxr; have [s0|/ltW s0] := leP 0 s.
  by rewrite [X in _ || X]ler_wpmul2l ?orbT.
by rewrite ler_wnmul2l.
Qed.

(** The head's scores behind u, as functionals of Phi(x). *)
Lemma score_phi u b l x : dot (head_rows m b (behind m u) l) (beta_of m x) =
  dot (fun p : X * H => b l p.1 * u p.2) (fun p => phi_3_6 m x p.1 p.2).
Proof.
rewrite /dot -(pair_bigA _ (fun z f => b l z * u f * phi_3_6 m x z f)) /= /phi_3_6.
under [RHS]eq_bigr do under eq_bigr do rewrite !mulr_sumr.
under [RHS]eq_bigr do rewrite exchange_big.
rewrite exchange_big; apply: eq_bigr => h _.
rewrite /head_rows /behind /next /dot !mulr_suml; apply: eq_bigr => z _.
rewrite mulr_sumr mulr_suml; apply: eq_bigr => f _; rewrite /column.
rewrite !mulrA; congr (_ * _); rewrite -!mulrA; congr (_ * _); rewrite mulrC -!mulrA mulrCA [RHS]mulrCA; congr (_ * _).
by rewrite mulrCA; congr (_ * _); rewrite mulrC.
Qed.

Lemma sum_le0 (T : finType) (F : T -> R) : (forall t, F t <= 0) -> \sum_t F t <= 0.
Proof. by move=> F0; rewrite -oppr_ge0 -sumrN; apply: sumr_ge0 => t _; rewrite oppr_ge0. Qed.

(** At a leaf no head of the region gains. *)
Lemma motzkin_gain r cs parts u b : motzkin m mu r cs parts -> inside r u b ->
  gain (F_star m mu) (fun l x => dot (head_rows m b (behind m u) l) (beta_of m x)) cs <= 0.
Proof.
move=> [_ eq_parts plus_le minus_le] [bounds signs].
have -> : gain (F_star m mu) (fun l x => dot (head_rows m b (behind m u) l) (beta_of m x)) cs =
    gain (F_star m mu) (fun l x => dot (fun p : X * H => b l p.1 * u p.2) (fun p => phi_3_6 m x p.1 p.2)) cs.
  by apply: eq_bigr => c _; rewrite !score_phi.
rewrite gain_combination.
pose T l (p : X * H) := combination (F_star m mu) (fun x => phi_3_6 m x p.1 p.2) cs l.
have -> : \sum_l \sum_p b l p.1 * u p.2 * T l p = \sum_l \sum_p (b l p.1 - b ord0 p.1) * u p.2 * T l p.
  apply/eqP; rewrite -subr_eq0 -sumrB; apply/eqP.
  rewrite (eq_bigr (fun l => \sum_p b ord0 p.1 * u p.2 * T l p)) => [|l _]; last first.
    by rewrite -sumrB; apply: eq_bigr => p _; rewrite -!mulrBl opprB addrC subrK.
  by rewrite exchange_big big1 // => p _; rewrite -mulr_sumr sum_combination mulr0.
apply: sum_le0 => l; have [->|l_neq0] := eqVneq l ord0.
  by rewrite big1 // => p _; rewrite subrr !mul0r.
have -> : \sum_p (b l p.1 - b ord0 p.1) * u p.2 * T l p = \sum_h y b l h * \sum_f parts l h f * u f.
  rewrite (eq_bigr (fun p : X * H => \sum_h (b l p.1 - b ord0 p.1) * u p.2 * (emit m p.1 h * parts l h p.2))) => [|p _].
    rewrite exchange_big; apply: eq_bigr => h _.
    rewrite -(pair_bigA _ (fun z f => (b l z - b ord0 z) * u f * (emit m z h * parts l h f))) /= mulr_suml.
    apply: eq_bigr => z _; rewrite mulr_sumr; apply: eq_bigr => f _.
    by rewrite -!mulrA; congr (_ * _); rewrite mulrCA; congr (_ * _); rewrite mulrC.
  by rewrite /T eq_parts // mulr_sumr.
apply: sum_le0 => h; have /orP[/andP[allowed y0]|/andP[allowed y0]] := signs l h.
  apply: mulr_ge0_le0 => //; apply: le_trans (plus_le l h l_neq0 allowed).
  by apply: ler_sum => f _; exact: max_bound.
apply: mulr_le0_ge0 => //; rewrite -oppr_le0; apply: le_trans (minus_le l h l_neq0 allowed).
by rewrite -sumrN; apply: ler_sum => f _; rewrite -mulNr; exact: max_bound.
Qed.

Lemma refutes_region r (t : region_tree R H X K) u b : refutes m mu r t -> inside r u b ->
  exists2 x, is_input m x & F_star m mu x <> label_at m (head_rows m b (behind m u)) x.
Proof.
elim: t r => [l h t1 IH1 t2 IH2|f c t1 IH1 t2 IH2|cs parts] r /=.
- move=> [/andP[pl mi] r1 r2] [bounds signs]; have [y0|/ltW y0] := leP 0 (y b l h).
    apply: IH1 r1 _; split=> // l' h' /=; rewrite /set_at2 /set_at; have := signs l' h'.
    by have [->|_] := eqVneq l' l => //; have [->|//] := eqVneq h' h; rewrite pl y0.
  apply: IH2 r2 _; split=> // l' h' /=; rewrite /set_at2 /set_at; have := signs l' h'.
  by have [->|_] := eqVneq l' l => //; have [->|//] := eqVneq h' h; rewrite mi y0 orbT.
- move=> [_ r1 r2] [bounds signs]; have [u_c|/ltW c_u] := leP (u f) c.
    apply: IH1 r1 _; split=> // f'; rewrite /= /set_at; have /andP[lo hi] := bounds f'.
    by rewrite lo /=; case: eqP => [->|_].
  apply: IH2 r2 _; split=> // f'; rewrite /= /set_at; have /andP[lo hi] := bounds f'.
  by rewrite hi andbT; case: eqP => [->|_].
- move=> leaf u_in; have [cs_ok _ _ _] := leaf; exact: no_gain cs_ok (motzkin_gain leaf u_in).
Qed.

Lemma inside_whole top u b : (forall f, 0 <= u f <= 1) -> (forall f, top = Some f -> u f = 1) ->
  inside (whole R K top) u b.
Proof.
move=> u01 top1; split=> [f|l h] /=; last exact: le_total.
by have /andP[u0 u1] := u01 f; case: eqP => [/top1->|_]; rewrite ?lexx ?u0.
Qed.

(** A multiple of u gives all scores times a number. *)
Lemma behind_scale (c : R) u h : behind m (fun f => c * u f) h = c * behind m u h.
Proof. by rewrite -next_scale; apply: next_ext => f; rewrite mulrCA. Qed.

Lemma label_behind_scale (c : R) u b x : 0 < c ->
  label_at m (head_rows m b (behind m (fun f => c * u f))) x = label_at m (head_rows m b (behind m u)) x.
Proof.
move=> c0; apply: (label_scale_eq c0) => l; rewrite [RHS]mulr_sumr; apply: eq_bigr => h _.
by rewrite /head_rows behind_scale -!mulrA mulrCA.
Qed.

End Regions.

Theorem rule_region : statement_rule_region.
Proof.
move=> R H X m K mu t refuted u b E u01.
have [x x_in wrong] := refutes_region refuted (inside_whole m b u01 (top := None) (fun f => ltac:(by []))).
by exists x => //; rewrite rule_prompted_head.
Qed.

Theorem rule_largest : statement_rule_largest.
Proof.
move=> R H X m K mu t x0 refuted x0_in not_last u b E u01.
have [/existsP[f0 nz]|/existsPn zero] := boolP [exists f, u f != 0]; last first.
  exists x0; rewrite // rule_prompted_head // => eq_label; case/eqP: not_last; rewrite eq_label.
  apply/labelP/forallP => k; rewrite -[(k <= _)%N]/(k <= K)%N -ltnS ltn_ord andbT.
  have all0 l : dot (head_rows m b (behind m u) l) (beta_of m x0) = 0.
    apply: big1 => h _; rewrite /head_rows [behind m u h]big1 ?mulr0 ?mul0r // => f _.
    by have /negPn/eqP-> := zero f; rewrite !mulr0.
  by rewrite !all0 eqxx orbT.
pose f := [arg max_(f > f0) u f]%O.
have max_f g : u g <= u f by rewrite /f; case: arg_maxP => // i _; exact.
have u_gt0 : 0 < u f by apply: lt_le_trans (max_f f0); rewrite lt_neqAle eq_sym nz; case/andP: (u01 f0).
have scaled g : 0 <= (u f)^-1 * u g <= 1.
  have /andP[u0 _] := u01 g; rewrite mulr_ge0 ?invr_ge0 ?(ltW u_gt0) //=.
  by rewrite [_ * u g]mulrC ler_pdivr_mulr // mul1r.
have top1 g : Some f = Some g -> (u f)^-1 * u g = 1 by case=> <-; rewrite mulVf ?lt0r_neq0.
have [x x_in] := refutes_region (refuted f) (inside_whole m b scaled top1).
by rewrite label_behind_scale ?invr_gt0 // => wrong; exists x; rewrite // rule_prompted_head.
Qed.
