(** Rules of the certificate format: how far the output that a head reads may err (section 13). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.margins proofs.paths
  proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement.

Section Margins.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat).
Implicit Types (f g : 'I_K.+1 -> H -> R) (c p q : H -> R) (l k : 'I_K.+1) (x y : seq X) (t : margin_tree X K).
Notation score q y := (dot q (beta_of m y)).

Lemma score_nil q : score q [::] = \sum_h q h. Proof. by apply: eq_bigr => h _; exact: mulr1. Qed.

Lemma sum_scoreB q q' : \sum_h (q h - q' h) = score q [::] - score q' [::]. Proof. by rewrite !score_nil sumrB. Qed.

(** ** What is left out *)

(** The inputs of one length, behind each state, have the sum 1. *)
Lemma sum_scores p n : \sum_(y : n.-tuple X) score p y = \sum_h p h.
Proof.
elim: n p => [|n IH] p; first by rewrite (big_pred1 [tuple]) => [|y]; [rewrite score_nil | rewrite [y]tuple0].
rewrite (sum_tuple_cons xpredT (fun y => score p y)).
under eq_bigr do under eq_bigr do rewrite dot_step.
under eq_bigr do rewrite IH; rewrite exchange_big -[RHS](sum_next m p); apply: eq_bigr => h _.
by rewrite -mulr_suml (proj2 (emit_law m h)) mul1r.
Qed.

Lemma left_out_ge0 p t : (forall h, 0 <= p h) -> 0 <= left_out m p t.
Proof.
elim: t p => [child IH|child IH||l|] p p0 //=; try exact: sumr_ge0.
  by apply: sumr_ge0 => z _; apply: IH; exact: step_ge0.
by rewrite addr_ge0 ?sumr_ge0 // => z _; apply: IH; exact: step_ge0.
Qed.

Lemma left_out_bound p t n : (forall h, 0 <= p h) -> \sum_(y : n.-tuple X | leaves_out t y) score p y <= left_out m p t.
Proof.
have below child p' : (forall z p n, (forall h, 0 <= p h) ->
      \sum_(y : n.-tuple X | leaves_out (child z) y) score p y <= left_out m p (child z)) -> (forall h, 0 <= p' h) ->
    forall n, \sum_z \sum_(y : n.-tuple X | leaves_out (child z) y) score p' (z :: y) <=
      \sum_z left_out m (step m z p') (child z).
  move=> each p'0 k; apply: ler_sum => z _; under eq_bigr do rewrite dot_step; apply: each; exact: step_ge0.
elim: t p n => [child IH|child IH||l|] p [|n] p0 /=.
- rewrite big_pred0 => [|y]; last by rewrite [y]tuple0.
  by apply: sumr_ge0 => z _; apply: left_out_ge0; exact: step_ge0.
- rewrite (sum_tuple_cons (fun y => leaves_out (MarginSplit child) y) (fun y => score p y)) /=.
  exact: below.
- rewrite (big_pred1 [tuple]) => [|y]; last by rewrite [y]tuple0.
  by rewrite score_nil ler_addl sumr_ge0 // => z _; apply: left_out_ge0; exact: step_ge0.
- rewrite (sum_tuple_cons (fun y => leaves_out (MarginSkip child) y) (fun y => score p y)) /=.
  by apply: ler_paddl; [exact: sumr_ge0 | exact: below].
- by rewrite big_pred0.
- by rewrite big_pred0.
- by rewrite big_pred0.
- by rewrite big_pred0.
- by rewrite sum_scores.
by rewrite sum_scores.
Qed.

(** ** What bears the error *)

Variables (b : 'I_K.+1 -> X -> R) (e : R) (ties : bool).

(** The rule for the word of a node, for the word w y of an input. *)
Definition input_bears f g c y : Prop :=
  let l := label_at m f y in
  (0 < score c y /\ forall k, k != l -> ahead b e l k (score (g l) y - score (g k) y) (score c y)) \/
  [/\ ties, label_at m g y = l & score c y = 0 \/ exists2 k, other_row b l k & score (g l) y = score (g k) y].

Lemma input_bears_step f g c z y :
  input_bears (fun l => step m z (f l)) (fun l => step m z (g l)) (step m z c) y -> input_bears f g c (z :: y).
Proof.
rewrite /input_bears !label_at_step !dot_step => -[[pos all_ahead]|[? -> [none|[k other tie]]]].
- by left; split=> // k /all_ahead; rewrite !dot_step.
- by right; split=> //; left.
by right; split=> //; right; exists k => //; rewrite !dot_step.
Qed.

Lemma score_gt0 p q y : (forall h, 0 <= p h) -> (forall h, 0 <= q h) -> (forall h, 0 < p h -> 0 < q h) ->
  0 < score p y -> 0 < score q y.
Proof.
move=> p0 q0 pq; rewrite !sum_gt0 => [/existsP[h]|h|h]; try by rewrite mulr_ge0 ?beta_of_ge0.
have [->|nz] := eqVneq (beta_of m y h) 0; first by rewrite mulr0 ltxx.
have beta_gt0 : 0 < beta_of m y h by rewrite lt_neqAle eq_sym nz beta_of_ge0.
by rewrite pmulr_lgt0 // => p_gt0; apply/existsP; exists h; rewrite mulr_gt0 ?pq.
Qed.

(** A node speaks for all inputs that begin with its word and are not left out. *)
Lemma margin_continues root f g c p t y : (forall h, 0 <= p h) -> (forall h, 0 <= c h) ->
  margin m b e ties root f g c p t -> ~~ root || (y != [::]) -> 0 < score p y -> ~~ leaves_out t y ->
  input_bears f g c y.
Proof.
move=> p0 c0; elim: t root f g c p p0 c0 y => [child IH|child IH||l|//] root f g c p p0 c0 y; last 2 first.
- by move=> none _; rewrite [score _ _]big1 ?ltxx // => h _; rewrite none mul0r.
- move=> [settled c_pos all_ahead] _ pos _; left; rewrite (settles_label p0 settled pos).
  split; first exact: score_gt0 pos.
  move=> k neq; have [h _] : exists h : H, True.
    by move: pos; rewrite sum_gt0 => [/existsP[h _]|h]; [exists h | rewrite mulr_ge0 ?beta_of_ge0].
  move: (all_ahead k h neq) (all_ahead k); rewrite /ahead; case: ifP => // _ _ le_all.
  rewrite /dot mulr_sumr -sumrB; apply: ler_sum => h' _.
  by rewrite mulrA -mulrBl ler_wpmul2r ?beta_of_ge0 ?le_all.
- case: y => [|z y] [word below] /=; last first.
    move=> _ pos out; apply: input_bears_step; apply: IH (below z) _ _ _ => //; try exact: step_ge0.
    by rewrite -dot_step.
  rewrite orbF score_nil => not_root pos _; have := word not_root pos.
  rewrite /word_bears /input_bears !label_at_nil score_nil.
  move=> [[c_gt0 all_ahead]|[? <- [none|[k other tie]]]].
  - by left; split=> // k /all_ahead; rewrite sum_scoreB.
  - by right; split=> //; left.
  by right; split=> //; right; exists k => //; apply/eqP; rewrite -subr_eq0 -sum_scoreB tie.
case: y => [|z y] below //= _ pos out; apply: input_bears_step.
by apply: IH (below z) _ _ _ => //; try exact: step_ge0; rewrite -dot_step.
Qed.

(** ** Heads *)

Lemma dot_error (d v : X -> R) : (exists z, d z != 0) -> (forall z, `|v z| < e) -> `|dot d v| < e * norm1 d.
Proof.
move=> [z0 nz] small; rewrite mulr_sumr; apply: le_lt_trans (ler_norm_sum _ _ _) _.
rewrite (bigD1 z0) // [X in _ < X](bigD1 z0) //=; apply: ltr_le_add.
  by rewrite normrM mulrC ltr_pmul2r ?small // normr_gt0.
by apply: ler_sum => z _; rewrite normrM mulrC; apply: ler_wpmul2r => //; exact: ltW.
Qed.

Lemma same_row l k (G : X -> R) : other_row b l k = false -> dot (b l) G = dot (b k) G.
Proof. by move/existsPn => same; apply: eq_dot => // z; apply/eqP/negPn; exact: same. Qed.

(** A label that is ahead of all others stays so. *)
Lemma ahead_label l (G Ghat : X -> R) : (forall k, k != l -> ahead b e l k (dot (b l) G - dot (b k) G) 1) ->
  (forall z, `|Ghat z - G z| < e) -> linear_head b Ghat = l.
Proof.
move=> all_ahead small; apply/labelP/forallP => k.
have [->|/all_ahead] := eqVneq k l; first by rewrite eqxx leqnn orbT.
rewrite /ahead; case: ifP => [/existsP[z nz]|/same_row eq_row lt_kl]; last by rewrite eq_row eqxx ltnW ?orbT.
rewrite mulr1 -dotB => le_gap; apply/orP; left; rewrite -subr_gt0 -dotB; set d := fun z => _ in le_gap *.
have nz' : exists z, d z != 0 by exists z; rewrite subr_eq0.
have small' z' : `|G z' - Ghat z'| < e by rewrite distrC.
have /ltr_normlW := dot_error nz' small'; rewrite dotC dotB -!(dotC d) => /lt_le_trans/(_ le_gap).
by rewrite gtr_addl oppr_lt0.
Qed.

(** A head on W (c o beta) / c'beta: its scores are those of the rows, over c'beta. *)
Lemma margin_label mu c x (G : X -> R) : 0 < e -> (forall h, 0 <= c h) ->
  (forall z, G z = (\sum_h emit m z h * (c h * beta m (embed m x) h)) / \sum_h c h * beta m (embed m x) h) ->
  is_input m x -> input_bears (task_rows m mu) (head_rows m b c) c x ->
  bears b e (F_star m mu x) G \/ ties /\ tied b (F_star m mu x) G.
Proof.
move=> e0 c0 eq_G [_ pos]; rewrite rule_task // /input_bears; set l := label_at _ _ _.
have eq_head k : dot (b k) G = score (head_rows m b c k) x / score c x.
  rewrite (eq_dot (fun=> erefl) eq_G) dot_div dot_emission; congr (_ / _); apply: eq_bigr => h _.
  by rewrite mulrC mulrA.
move=> [[c_gt0 all_ahead]|[-> eq_l tie]]; [left|right].
  have stays Ghat : (forall z, `|Ghat z - G z| < e) -> linear_head b Ghat = l.
    apply: ahead_label => k /all_ahead; rewrite /ahead; case: ifP => // _.
    by rewrite mulr1 !eq_head -mulrBl ler_pdivl_mulr.
  by split=> //; apply: stays => z; rewrite subrr normr0.
split=> //; split; first by rewrite (head_label b c0 eq_G).
case: tie => [none|[k other tie]]; [left=> z|right; exists k => //].
  by rewrite eq_G -/(dot c (beta_of m x)) none invr0 mulr0.
by rewrite !eq_head tie.
Qed.

Lemma margin_holds mu c (most : R) t (G : seq X -> X -> R) : 0 < e -> (forall h, 0 <= c h) ->
  (forall x z, G x z = (\sum_h emit m z h * (c h * beta m (embed m x) h)) / \sum_h c h * beta m (embed m x) h) ->
  margin m b e ties true (task_rows m mu) (head_rows m b c) c (init m) t -> left_out m (init m) t <= most ->
  margin_claim m b e ties (F_star m mu) G most.
Proof.
move=> e0 c0 eq_G valid le_q; exists (leaves_out t) => [n|x x_in out].
  apply: le_trans le_q; under eq_bigr do rewrite P_X_dot; exact: left_out_bound (init_ge0 m).
apply: (margin_label e0 c0 (eq_G x) x_in); have [not_empty pos] := x_in.
by apply: margin_continues (init_ge0 m) c0 valid not_empty _ out; rewrite -P_X_dot.
Qed.

End Margins.

Theorem rule_margin : statement_rule_margin.
Proof.
move=> R H X m K mu b e q ties t f c e0 valid le_q E; apply: margin_holds e0 _ _ valid le_q => [h|x z].
  exact: P_H_ge0.
exact: G_first.
Qed.

Theorem rule_prompted_margin : statement_rule_prompted_margin.
Proof.
move=> R H X m K mu b u e q ties t u01 f c e0 valid le_q E; apply: margin_holds e0 _ _ valid le_q => [h|x z].
  exact: (after_prompt_ge0 m).
exact: Gbar_prompt.
Qed.

(** ** Contraction *)

Section Contraction.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (r : R).
Hypotheses (r01 : 0 <= r <= 1) (mixing : forall h h' f, r * trans m h' f <= trans m h f).
Implicit Types (p q c : H -> R) (lo hi : R) (z : X) (w y : seq X).
Notation rho := (1 - r ^+ 2).

Lemma rho_ge0 : 0 <= rho. Proof. by have /andP[r0 r1] := r01; rewrite subr_ge0 exprn_ile1. Qed.

Lemma next_mixing p h h' : (forall f, 0 <= p f) -> r * next m p h' <= next m p h.
Proof. by move=> p0; rewrite mulr_sumr; apply: ler_sum => f _; rewrite mulrA ler_wpmul2r. Qed.

Lemma nextD (s : R) p q h : next m (fun f => s * p f + q f) h = s * next m p h + next m q h.
Proof. by rewrite mulr_sumr -big_split; apply: eq_bigr => f _; rewrite mulrDr mulrCA. Qed.

(** If p = q - lo c is >= 0, then A p is at least r^2 (k - lo) A c, where k is the ratio of A q and A c at any h'. *)
Lemma next_ahead p c (k : R) h h' : (forall f, 0 <= p f) -> (forall f, 0 <= c f) -> 0 <= k ->
  next m p h' = k * next m c h' -> r ^+ 2 * k * next m c h <= next m p h.
Proof.
move=> p0 c0 k0 eq_k; have /andP[r0 _] := r01; apply: le_trans (next_mixing h h' p0).
rewrite eq_k expr2 -!mulrA ler_wpmul2l // mulrCA ler_wpmul2l //; exact: next_mixing.
Qed.

Lemma next_between lo hi q c h : between lo hi q c -> lo * next m c h <= next m q h <= hi * next m c h.
Proof.
by move=> btw; rewrite !mulr_sumr; apply/andP; split; apply: ler_sum => f _; rewrite mulrCA ler_wpmul2l ?trans_ge0 //;
  case/andP: (btw f).
Qed.

Lemma between_next lo hi q c : (forall h, 0 <= c h) -> lo <= hi -> between lo hi q c ->
  exists lo' hi', [/\ lo <= lo', lo' <= hi', hi' <= hi, hi' - lo' = rho * (hi - lo) &
    between lo' hi' (next m q) (next m c)].
Proof.
move=> c0 le_lh btw; have [h0 _] := law_gt0 (init_law m); have r2 : 0 <= r ^+ 2 by exact: sqr_ge0.
have [k [lo_k k_hi eq_k]] : exists k, [/\ lo <= k, k <= hi & next m q h0 = k * next m c h0].
  have /andP[ge_lo le_hi] := next_between h0 btw.
  have [d0|nz] := eqVneq (next m c h0) 0.
    by exists lo; split=> //; move: ge_lo le_hi; rewrite d0 !mulr0 => ge0 le0; apply/eqP; rewrite eq_le le0.
  have d_gt0 : 0 < next m c h0 by rewrite lt_neqAle eq_sym nz next_ge0.
  by exists (next m q h0 / next m c h0); rewrite ler_pdivl_mulr // ler_pdivr_mulr // divfK.
exists (lo + r ^+ 2 * (k - lo)), (hi - r ^+ 2 * (hi - k)).
have eq_length : hi - r ^+ 2 * (hi - k) - (lo + r ^+ 2 * (k - lo)) = rho * (hi - lo).
  by rewrite opprD addrACA -opprD -mulrDr addrA subrK mulrBl mul1r.
split=> //; first by rewrite ler_addl mulr_ge0 // subr_ge0.
- by rewrite -subr_ge0 eq_length mulr_ge0 ?rho_ge0 // subr_ge0.
- by rewrite ger_addl oppr_le0 mulr_ge0 // subr_ge0.
move=> h; apply/andP; split.
  have : r ^+ 2 * (k - lo) * next m c h <= next m (fun f => - lo * c f + q f) h.
    apply: (@next_ahead _ c (k - lo) h h0) => // [f||]; rewrite ?subr_ge0 //.
      by rewrite mulNr addrC subr_ge0; case/andP: (btw f).
    by rewrite nextD eq_k -mulrDl addrC.
  by rewrite nextD mulNr [- _ + _]addrC ler_subr_addr -mulrDl [_ + lo]addrC.
have : r ^+ 2 * (hi - k) * next m c h <= next m (fun f => -1 * q f + hi * c f) h.
  apply: (@next_ahead _ c (hi - k) h h0) => // [f||]; rewrite ?subr_ge0 //.
    by rewrite mulN1r addrC subr_ge0; case/andP: (btw f).
  by rewrite nextD next_scale eq_k mulN1r addrC -mulrBl.
by rewrite nextD next_scale mulN1r [- _ + _]addrC ler_subr_addr -ler_subr_addl -mulrBl.
Qed.

Lemma between_at_node lo hi q c w : (forall h, 0 <= c h) -> lo <= hi -> between lo hi q c ->
  exists lo' hi', [/\ lo <= lo', hi' <= hi, hi' - lo' <= rho ^+ size w * (hi - lo) &
    between lo' hi' (at_node m w q) (at_node m w c)].
Proof.
elim: w lo hi q c => [|z w IH] lo hi q c c0 le_lh btw; first by exists lo, hi; rewrite mul1r.
have [lo1 [hi1 [ge_lo1 le_1 le_hi1 eq_1 btw1]]] := between_next c0 le_lh btw.
have btw_z : between lo1 hi1 (step m z q) (step m z c).
  move=> h; rewrite /step !(mulrCA _ (emit m z h)); have /andP[ge_h le_h] := btw1 h.
  by rewrite !ler_wpmul2l ?emit_ge0.
have [lo2 [hi2 [ge_lo2 le_hi2 le_2 btw2]]] := IH _ _ _ _ (step_ge0 m z c0) le_1 btw_z; exists lo2, hi2; split=> //.
- exact: le_trans ge_lo1 ge_lo2.
- exact: le_trans le_hi2 le_hi1.
by rewrite /= [_ ^+ (size w).+1]exprSr -mulrA -eq_1.
Qed.

Lemma score_at_node q w y : dot q (beta_of m (w ++ y)) = dot (at_node m w q) (beta_of m y).
Proof. by elim: w q => //= z w IH q; rewrite dot_step IH. Qed.

End Contraction.

Theorem rule_contraction : statement_rule_contraction.
Proof.
move=> R H X m r lo hi q c w r01 mixing c0 le_lh btw.
have [lo' [hi' [ge_lo le_hi le_length btw']]] := between_at_node r01 mixing w c0 le_lh btw.
exists lo', hi'; split=> // y; rewrite !score_at_node -!dot_scale /dot.
apply/andP; split; apply: ler_sum => h _; rewrite mulrCA mulrA ler_wpmul2r ?beta_of_ge0 //; by case/andP: (btw' h).
Qed.
