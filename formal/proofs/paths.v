(** Sums over hidden paths, by forward and backward recursion.

    beta is what is seen after a state, alpha what is seen up to it, and P[H_i, all but i] is their product. *)

From Headproof Require Import definitions.prelude definitions.hmm.

(** A sum over tuples runs over the first member and the rest. *)
Lemma sum_tuple_cons (R : realFieldType) (H : finType) {n : nat} (P : pred (seq H)) (F : seq H -> R) :
  \sum_(hs : n.+1.-tuple H | P hs) F hs = \sum_h \sum_(hs : n.-tuple H | P (h :: hs)) F (h :: hs).
Proof.
rewrite pair_big_dep /=.
rewrite (reindex (fun p : H * n.-tuple H => [tuple of p.1 :: p.2])) //=.
exists (fun hs => (thead hs, [tuple of behead hs])) => [[h hs] _|hs _] /=.
  by rewrite theadE; congr (_, _); apply: val_inj.
by rewrite [RHS]tuple_eta.
Qed.

Section Paths.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (p : H -> R) (l u : letter R H) (v w : seq (letter R H)) (x : seq X).

(** A p, the law one step on. *)
Definition next p (h' : H) : R := \sum_h trans m h' h * p h.

(** beta(v)_h = P[v is seen in H_1, ..., H_t | H_0 = h]. *)
Fixpoint beta v (h : H) : R := if v is l :: w then \sum_h' trans m h' h * (l h' * beta w h') else 1.

(** alpha_p(v)_h = P[v is seen in H_1, ..., H_t, and H_t = h], where H_0 has the law p. *)
Fixpoint alpha p v : H -> R := if v is l :: w then alpha (fun h => next p h * l h) w else p.

(** P[H_i = h, v is seen before i, w is seen after i]. *)
Definition around v w (h : H) : R := next (alpha (init m) v) h * beta w h.

(** The sum over paths whose i-th state is h, from the law p. *)
Definition path_factor v (h0 : H) (hs : seq H) : R :=
  \prod_(1 <= i < (size v).+1) (trans m (state_at h0 hs i) (state_at h0 hs i.-1) * letter_at v i (state_at h0 hs i)).
Definition path_sum p v i (h : H) : R :=
  \sum_h0 \sum_(hs : (size v).-tuple H | state_at h0 hs i == h) p h0 * path_factor v h0 hs.

Lemma path_factor_nil h0 hs : path_factor [::] h0 hs = 1. Proof. by rewrite /path_factor big_geq. Qed.

Lemma state_at_cons (h0 h1 : H) hs i : (i <= size hs)%N -> state_at h0 (h1 :: hs) i.+1 = state_at h1 hs i.
Proof. by move=> le; rewrite /state_at /=; apply: set_nth_default. Qed.

Lemma path_factor_cons l v h0 h1 hs : size hs = size v ->
  path_factor (l :: v) h0 (h1 :: hs) = trans m h1 h0 * l h1 * path_factor v h1 hs.
Proof.
move=> eq_size; rewrite /path_factor big_ltn //= big_add1 /=; congr (_ * _).
rewrite !big_nat; apply: eq_bigr => -[//|i] /andP[_ le] /=.
rewrite state_at_cons ?eq_size // state_at_cons ?eq_size //; exact: ltnW.
Qed.

Lemma jointE v i h : joint m v i h = path_sum (init m) v i h. Proof. by []. Qed.

Lemma path_total v h : \sum_(hs : (size v).-tuple H) path_factor v h hs = beta v h.
Proof.
elim: v h => [|l v IH] h /=.
  rewrite (eq_bigr (fun=> 1)) => [|hs _]; last exact: path_factor_nil.
  by rewrite sumr_const card_tuple.
rewrite (sum_tuple_cons xpredT (path_factor (l :: v) h)).
apply: eq_bigr => h1 _; rewrite mulrA -IH mulr_sumr; apply: eq_bigr => hs _.
by rewrite path_factor_cons ?size_tuple.
Qed.

Lemma path_sum0 p v h : path_sum p v 0 h = p h * beta v h.
Proof.
rewrite /path_sum (bigD1 h) //= [X in _ + X]big1 ?addr0 => [|g neq_gh]; last first.
  by rewrite big_pred0 // => hs; exact: negbTE.
by rewrite -path_total mulr_sumr; apply: eq_bigl => hs; exact: eqxx.
Qed.

Lemma path_sum_cons p l v i h : (i <= size v)%N ->
  path_sum p (l :: v) i.+1 h = path_sum (fun g => next p g * l g) v i h.
Proof.
move=> le_i; rewrite /path_sum.
under eq_bigr => h0 _ do rewrite (sum_tuple_cons (fun hs => state_at h0 hs i.+1 == h)
  (fun hs => p h0 * path_factor (l :: v) h0 hs)).
rewrite exchange_big; apply: eq_bigr => h1 _ /=.
under eq_bigr => h0 _ do under eq_bigl => hs do rewrite state_at_cons ?size_tuple //.
rewrite exchange_big; apply: eq_bigr => hs _ /=.
under eq_bigr => h0 _ do rewrite path_factor_cons ?size_tuple //.
rewrite /next !mulr_suml; apply: eq_bigr => h0 _; by rewrite -!mulrA mulrCA.
Qed.

(** ** Joint laws *)

Lemma joint_cat v w h : joint m (v ++ w) (size v) h = alpha (init m) v h * beta w h.
Proof.
rewrite jointE; elim: v (init m) => [|l v IH] p /=; first exact: path_sum0.
by rewrite path_sum_cons ?IH // size_cat leq_addr.
Qed.

Lemma joint0 v h : joint m v 0 h = init m h * beta v h. Proof. exact: path_sum0. Qed.

Lemma alpha_cat p v w : alpha p (v ++ w) = alpha (alpha p v) w. Proof. by elim: v p => //= l v IH p; exact: IH. Qed.

Lemma alpha_rcons p v l h : alpha p (rcons v l) h = next (alpha p v) h * l h. Proof. by rewrite -cats1 alpha_cat. Qed.

Lemma joint_cons v l w h : joint m (v ++ l :: w) (size v).+1 h = around v w h * l h.
Proof. by rewrite -cat_rcons -(size_rcons v l) joint_cat alpha_rcons /around mulrAC. Qed.

(** P[v] = sum_h P[H_i = h, v], for each i. *)
Lemma probE v : prob m v = \sum_h init m h * beta v h.
Proof. rewrite /prob; apply: eq_bigr => h0 _; rewrite -path_total mulr_sumr; exact: eq_bigr. Qed.

Lemma sum_joint v i : \sum_h joint m v i h = prob m v.
Proof.
rewrite /joint exchange_big; apply: eq_bigr => h0 _.
rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => hs _.
by rewrite (big_pred1 (state_at h0 hs i)) // => h; rewrite eq_sym.
Qed.

Lemma prob_cons v l w : prob m (v ++ l :: w) = \sum_h around v w h * l h.
Proof. by rewrite -(sum_joint _ (size v).+1); apply: eq_bigr => h _; rewrite joint_cons. Qed.

(** ** Equal letters, nonnegative letters, free letters *)

Lemma next_ext p q : p =1 q -> next p =1 next q. Proof. by move=> pq h; apply: eq_bigr => g _; rewrite pq. Qed.

Lemma alpha_ext p q v : p =1 q -> alpha p v =1 alpha q v.
Proof. by elim: v p q => //= l v IH p q pq; apply: IH => h; rewrite (next_ext pq). Qed.

Lemma next_scale (c : R) p h : next (fun g => c * p g) h = c * next p h.
Proof. by rewrite mulr_sumr; apply: eq_bigr => g _; rewrite mulrCA. Qed.

Lemma alpha_beta p v w : \sum_h p h * beta (v ++ w) h = \sum_h alpha p v h * beta w h.
Proof.
elim: v p => //= l v IH p; rewrite -IH.
under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => h _; rewrite /next !mulr_suml; apply: eq_bigr => g _.
by rewrite mulrCA !mulrA.
Qed.

Lemma next_ge0 p : (forall h, 0 <= p h) -> forall h, 0 <= next p h.
Proof. by move=> p0 h; apply: sumr_ge0 => g _; rewrite mulr_ge0 ?(proj1 (trans_law m g)). Qed.

Lemma sum_next p : \sum_h next p h = \sum_h p h.
Proof.
rewrite /next exchange_big; apply: eq_bigr => h _.
by rewrite -mulr_suml (proj2 (trans_law m h)) mul1r.
Qed.

(** All letters of v are nonnegative. *)
Definition nonneg v : Prop := forall i h, 0 <= nth free v i h.

Lemma nonneg_cons l v : nonneg (l :: v) -> (forall h, 0 <= l h) /\ nonneg v.
Proof. by move=> nv; split=> [|i]; [exact: (nv 0%N) | exact: (nv i.+1)]. Qed.

Lemma cons_nonneg l v : (forall h, 0 <= l h) -> nonneg v -> nonneg (l :: v). Proof. by move=> l0 v0 [|i] //=. Qed.

Lemma cat_nonneg v w : nonneg v -> nonneg w -> nonneg (v ++ w).
Proof. by move=> v0 w0 i h; rewrite nth_cat; case: ifP. Qed.

Lemma alpha_ge0 p v : (forall h, 0 <= p h) -> nonneg v -> forall h, 0 <= alpha p v h.
Proof.
elim: v p => //= l v IH p p0 /nonneg_cons[l0 v0] h.
by apply: IH => // g; rewrite mulr_ge0 ?next_ge0.
Qed.

Lemma beta_ge0 v : nonneg v -> forall h, 0 <= beta v h.
Proof.
elim: v => [|l v IH] /=; first by move=> _ h; exact: ler01.
move=> /nonneg_cons[l0 v0] h; apply: sumr_ge0 => g _.
by rewrite mulr_ge0 ?(proj1 (trans_law m h)) // mulr_ge0 ?IH.
Qed.

Lemma around_ge0 v w : nonneg v -> nonneg w -> forall h, 0 <= around v w h.
Proof.
move=> v0 w0 h; rewrite mulr_ge0 ?beta_ge0 // next_ge0 // => g.
by apply: alpha_ge0 => // f; exact: (proj1 (init_law m)).
Qed.

Lemma joint_ge0 v i h : nonneg v -> 0 <= joint m v i h.
Proof.
move=> v0; apply: sumr_ge0 => h0 _; apply: sumr_ge0 => hs _.
rewrite mulr_ge0 ?(proj1 (init_law m)) // prodr_ge0 // => j _.
by rewrite mulr_ge0 ?(proj1 (trans_law m _)) //; exact: v0.
Qed.

Lemma prob_ge0 v : nonneg v -> 0 <= prob m v.
Proof. by move=> v0; rewrite -(sum_joint v 0); apply: sumr_ge0 => h _; exact: joint_ge0. Qed.

Lemma nonneg_free n : nonneg (nseq n free). Proof. by elim: n => [|n IH] [|i] h; rewrite /= ?ler01 //; exact: IH. Qed.

Lemma emit_ge0 z h : 0 <= emit m z h. Proof. exact: (proj1 (emit_law m h)). Qed.

Lemma nonneg_embed x : nonneg (embed m x).
Proof. by elim: x => [|z x IH] [|i] h /=; rewrite ?ler01 ?emit_ge0 //; exact: IH. Qed.

Lemma embed_cat x y : embed m (x ++ y) = embed m x ++ embed m y. Proof. exact: map_cat. Qed.

(** ** P[H_i] *)

Lemma P_H_alpha i h : P_H m i h = alpha (init m) (nseq i free) h.
Proof.
have := joint_cat (nseq i free) [::] h.
by rewrite cats0 size_nseq mulr1.
Qed.

(** What is seen after i positions at which nothing is. *)
Lemma joint_free i v h : joint m (nseq i free ++ v) i h = P_H m i h * beta v h.
Proof. by have := joint_cat (nseq i free) v h; rewrite size_nseq P_H_alpha. Qed.
Lemma prob_free i v : prob m (nseq i free ++ v) = \sum_g P_H m i g * beta v g.
Proof. by rewrite -(sum_joint _ i); apply: eq_bigr => g _; exact: joint_free. Qed.

Lemma P_H0 h : P_H m 0 h = init m h. Proof. exact: P_H_alpha. Qed.

Lemma P_HS i h : P_H m i.+1 h = next (P_H m i) h.
Proof.
have -> : P_H m i.+1 h = alpha (init m) (rcons (nseq i free) free) h.
  by rewrite P_H_alpha; congr (alpha _ _ _); rewrite -cats1 -(nseqD i 1) addn1.
by rewrite alpha_rcons mulr1; apply: next_ext => g; rewrite P_H_alpha.
Qed.

Lemma P_H_ge0 i h : 0 <= P_H m i h. Proof. by apply: joint_ge0; exact: nonneg_free. Qed.

(** Where P[H_{i+1} = h] = 0, no state of positive probability leads to h. *)
Lemma P_HS_eq0 i h g : P_H m i.+1 h = 0 -> trans m h g * P_H m i g = 0.
Proof.
rewrite P_HS => /eqP; rewrite psumr_eq0 => [/allP/(_ g)|f _].
  by rewrite mem_index_enum => /(_ isT)/eqP.
by rewrite mulr_ge0 ?P_H_ge0 ?(proj1 (trans_law m f)).
Qed.

Lemma next_P_H_eq0 p i : (forall g, P_H m i g = 0 -> p g = 0) -> forall h, P_H m i.+1 h = 0 -> next p h = 0.
Proof.
move=> p0 h Ph; apply: big1 => g _.
have /eqP := P_HS_eq0 g Ph; rewrite mulf_eq0 => /orP[/eqP->|/eqP/p0->]; by rewrite ?mul0r ?mulr0.
Qed.

Lemma alpha_P_H_eq0 v h : P_H m (size v) h = 0 -> alpha (init m) v h = 0.
Proof.
elim/last_ind: v h => [|v l IH] h; first by rewrite P_H0.
by rewrite size_rcons alpha_rcons => /(next_P_H_eq0 IH)->; rewrite mul0r.
Qed.

(** ** Masked texts *)

Lemma replaceE (T : Type) (x y : seq T) z0 z : replace (x ++ z0 :: y) (size x).+1 z = x ++ z :: y.
Proof. by rewrite /replace /=; elim: x => //= z1 x ->. Qed.

(** P[H_i, X_-i = x_-i] = alpha o beta, and what follows for G_i(x). *)
Lemma masked_jointE x z y h : masked_joint m (x ++ z :: y) (size x).+1 h = around (embed m x) (embed m y) h.
Proof.
rewrite /masked_joint (eq_bigr (fun z' => around (embed m x) (embed m y) h * emit m z' h)) => [|z' _].
  by rewrite -mulr_sumr (proj2 (emit_law m h)) mulr1.
by rewrite replaceE embed_cat /= -(size_map (e m) x) joint_cons.
Qed.

Lemma sum_masked_joint x i : \sum_h masked_joint m x i h = masked_prob m x i.
Proof. by rewrite /masked_joint exchange_big; apply: eq_bigr => z _; rewrite sum_joint. Qed.

Lemma P_X_replace x z0 y z :
  P_X m (replace (x ++ z0 :: y) (size x).+1 z) = \sum_h emit m z h * masked_joint m (x ++ z0 :: y) (size x).+1 h.
Proof.
rewrite replaceE /P_X embed_cat prob_cons; apply: eq_bigr => h _.
by rewrite masked_jointE mulrC.
Qed.

Lemma GE x z0 y z : let i := (size x).+1 in let xzy := x ++ z0 :: y in
  G m xzy i z = (\sum_h emit m z h * masked_joint m xzy i h) / \sum_h masked_joint m xzy i h.
Proof. by rewrite /= /G P_X_replace sum_masked_joint. Qed.

End Paths.

(** ** Labels *)

Section Labels.

Variables (R : realFieldType) (K : nat).
Implicit Types (s : 'I_K.+1 -> R) (l : 'I_K.+1).

(** The relation that picks the label: no label has a larger score, and none after l has the same. *)
Definition is_label s l : bool := [forall k, (s k < s l) || (s k == s l) && (k <= l)%N].

Lemma is_label_exists s : exists l, is_label s l.
Proof.
pose top l := [forall k, s k <= s l].
have top0 : exists l, top l.
  exists [arg max_(l > ord0) s l]%O.
  by case: Order.TotalTheory.arg_maxP => // l _ max_l; apply/forallP => k; exact: max_l.
case: top0 => l0 top_l0; exists [arg max_(l > l0 | top l) val l]%N.
case: arg_maxnP => // l /forallP top_l last_l; apply/forallP => k.
rewrite lt_neqAle top_l andbT; case: eqP => //= eq_kl.
by apply: last_l; apply/forallP => j; rewrite eq_kl.
Qed.

Lemma is_label_unique s l k : is_label s l -> is_label s k -> l = k.
Proof.
move=> /forallP/(_ k)/orP[lt_kl|/andP[/eqP eq_s le_kl]] /forallP/(_ l)/orP[lt_lk|/andP[/eqP eq_s' le_lk]].
- by have := lt_trans lt_kl lt_lk; rewrite ltxx.
- by rewrite eq_s' ltxx in lt_kl.
- by rewrite eq_s ltxx in lt_lk.
- by apply: val_inj; apply/eqP; rewrite eqn_leq le_lk.
Qed.

Lemma labelP s l : is_label s l <-> label s = l.
Proof.
rewrite /label; case: pickP => [k is_k|none] /=.
  by split=> [is_l|<-]; [exact: (is_label_unique is_k is_l) | exact: is_k].
by have [k is_k] := is_label_exists s; have := none k; rewrite /= -/(is_label s k) is_k.
Qed.

Lemma label_ext s s' : s =1 s' -> label s = label s'.
Proof. by move=> eq_s; apply/labelP/forallP => k; rewrite !eq_s; exact: (forallP ((labelP _ _).2 erefl)). Qed.

(** A positive factor does not change the label, *)
Lemma label_scale (r : R) s : 0 < r -> label (fun l => r * s l) = label s.
Proof.
move=> r0; apply/labelP/forallP => k; rewrite ltr_pmul2l // (inj_eq (mulfI (lt0r_neq0 r0))).
exact: (forallP ((labelP _ _).2 erefl)).
Qed.

Lemma label_scale_eq (r : R) s s' : 0 < r -> (forall l, s' l = r * s l) -> label s' = label s.
Proof. by move=> r0 eq_s; rewrite (label_ext eq_s) label_scale. Qed.

(** nor does an added number. *)
Lemma label_shift (c : R) s : label (fun l => s l + c) = label s.
Proof.
apply/labelP/forallP => k; rewrite ltr_add2r (inj_eq (addIr c)).
exact: (forallP ((labelP _ _).2 erefl)).
Qed.

End Labels.

(** The binary task: the label is 1 iff mu'p >= 0. *)
Lemma label_binary (R : realFieldType) (T : finType) (mu p : T -> R) :
  (label (fun l => dot (binary mu l) p) == ord_max) = (0 <= dot mu p).
Proof.
have dot0 : dot (fun=> 0) p = 0 by apply: big1 => t _; rewrite mul0r.
apply/eqP/idP => [/labelP/forallP/(_ ord0)|mu_ge0].
  by rewrite /binary /= dot0 andbT orbC -le_eqVlt.
apply/labelP/forallP => k; rewrite /binary /= -ltnS ltn_ord andbT orbC -le_eqVlt.
by case: ifP => // _; rewrite dot0.
Qed.
