(** What decides which errors in the output that a head reads change no label (docs/certificate-format.md, section 13). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.margins proofs.paths
  proofs.refutations_numbers proofs.rules_agreement proofs.rules_margin checker.tables checker.models
  checker.agreement.

(** A node of a tree of words; a child for each token. *)
Inductive margin_tree_z :=
  | MarginSplitZ of (nat -> margin_tree_z)
  | MarginSkipZ of (nat -> margin_tree_z)
  | MarginImpossibleZ
  | MarginLabelZ of nat
  | MarginExceptZ.
Definition margin_children (ts : seq margin_tree_z) (z : nat) : margin_tree_z := nth MarginImpossibleZ ts z.

Section Decided.

Variables (T : tables) (K : nat).
Notation n := (n T).
Notation c := (c T).
Implicit Types (f g b : seq (seq Z)) (p w : seq Z).

(** The error that is borne is en / ed. *)
Variables (b : seq (seq Z)) (en ed : Z) (ties : bool).

Definition other_z (l k : nat) : bool := some c (fun z => ~~ (get2 b l z =? get2 b k z)%coqZ).
Definition distance (l k : nat) : Z := sum c (fun z => Z.abs (get2 b l z - get2 b k z))%coqZ.

(** A score that is ahead by d, of an output of this mass. *)
Definition ahead_z (l k : nat) (d mass : Z) : bool :=
  if other_z l k then (en * dW T * distance l k * mass <=? ed * d)%coqZ else (k < l)%N.

Definition bears_word f g w : bool :=
  let F := vec K.+1 (fun l => total n (nth [::] f l)) in let G := vec K.+1 (fun l => total n (nth [::] g l)) in
  let mass := total n w in let l := label_of K (get F) in
  (0 <? mass)%coqZ && each K.+1 (fun k => (k == l) || ahead_z l k (get G l - get G k)%coqZ mass) ||
  [&& ties, label_of K (get G) == l &
      (mass =? 0)%coqZ || some K.+1 (fun k => other_z l k && (get G l =? get G k)%coqZ)].

Definition bears_all (l : nat) f g w p : bool :=
  [&& (l < K.+1)%N, settles_z T K l f p, each n (fun h => (0 <? get p h)%coqZ ==> (0 <? get w h)%coqZ) &
      each K.+1 (fun k => (k == l) || each n (fun h => ahead_z l k (get2 g l h - get2 g k h)%coqZ (get w h)))].

Fixpoint margin_z (root : bool) f g w p (t : margin_tree_z) : bool :=
  let below child :=
    let f' := map (times_A T) f in let g' := map (times_A T) g in let w' := times_A T w in let p' := times_A T p in
    each c (fun z => margin_z false (map (emitted T z) f') (map (emitted T z) g') (emitted T z w') (emitted T z p') (child z)) in
  match t with
  | MarginSplitZ child => (root || ~~ (0 <? total n p)%coqZ || bears_word f g w) && below child
  | MarginSkipZ child => below child
  | MarginImpossibleZ => each n (fun h => get p h =? 0)%coqZ
  | MarginLabelZ l => bears_all l f g w p
  | MarginExceptZ => true
  end.

(** A number over (dA dW)^k, with k. *)
Definition plus_z (x y : Z * nat) : Z * nat :=
  let k := maxn x.2 y.2 in
  ((x.1 * (dA T * dW T) ^ Z.of_nat (k - x.2) + y.1 * (dA T * dW T) ^ Z.of_nat (k - y.2))%coqZ, k).
Fixpoint left_out_z p (t : margin_tree_z) : Z * nat :=
  let below child := let p' := times_A T p in
    foldr (fun z s => let v := left_out_z (emitted T z p') (child z) in plus_z (v.1, v.2.+1) s) (0%coqZ, 0%N) (iota 0 c) in
  match t with
  | MarginSplitZ child => below child
  | MarginSkipZ child => plus_z (total n p, 0%N) (below child)
  | MarginExceptZ => (total n p, 0%N)
  | _ => (0%coqZ, 0%N)
  end.

Definition bears_z (mu : seq (seq Z)) (w : seq Z) (q : Q) (t : margin_tree_z) : bool :=
  let left := left_out_z (p0 T) t in
  [&& rows_ok K mu, rows_ok K b, (0 <? en)%coqZ, (0 <? ed)%coqZ, margin_z true (task_z T mu) (head_z T b w) w (p0 T) t &
      (left.1 * Zpos (Qden q) <=? Qnum q * (d0 T * (dA T * dW T) ^ Z.of_nat left.2))%coqZ].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X c) (D : describes m ih ix).
Notation of_Z := (of_Z R).
Implicit Types (fr gr : 'I_K.+1 -> H -> R) (pr wr : H -> R) (r : R).

Variables (rb : R) (b' : 'I_K.+1 -> X -> R) (rb0 : 0 < rb).
Hypotheses (bE : forall l z, rb * b' l z = of_Z (get2 b (val l) (ix z))) (en0 : 0 < of_Z en) (ed0 : 0 < of_Z ed).
Let e := of_Z en / of_Z ed.
Let scale := of_Z (dA T) * of_Z (dW T).

Fixpoint real_margin (t : margin_tree_z) : margin_tree X K :=
  match t with
  | MarginSplitZ child => MarginSplit (fun z => real_margin (child (ix z)))
  | MarginSkipZ child => MarginSkip (fun z => real_margin (child (ix z)))
  | MarginImpossibleZ => MarginImpossible _ _
  | MarginLabelZ l => MarginLabel _ (real_label K l)
  | MarginExceptZ => MarginExcept _ _
  end.

Lemma other_zP l k : other_row b' l k = other_z (val l) (val k).
Proof. apply/existsP/(someP ix) => -[z nz]; exists z; move: nz; by rewrite (shows_eq rb0 (bE l z) (bE k z)). Qed.

Lemma distanceP l k : rb * norm1 (fun z => b' l z - b' k z) = of_Z (distance (val l) (val k)).
Proof. by apply: (shows_sum ix) => z; rewrite of_Z_abs of_ZB -!bE -mulrBr normrM gtr0_norm. Qed.

(** The head's rows g, with a factor that is rb dW times that of the mass w. *)
Lemma ahead_zP r l k (d mass : R) dz massz : 0 < r -> rb * of_Z (dW T) * r * d = of_Z dz -> r * mass = of_Z massz ->
  ahead_z (val l) (val k) dz massz -> ahead b' e l k d mass.
Proof.
move=> r0 dE massE; rewrite /ahead_z /ahead other_zP; case: ifP => // _ le.
have s0 : 0 < rb * of_Z (dW T) * r * of_Z ed by rewrite !mulr_gt0 ?(dW_gt0 D).
rewrite (shows_le s0 (a := (en * dW T * distance (val l) (val k) * massz)%coqZ) (b := (ed * dz)%coqZ)) //; last first.
  by rewrite of_ZM -dE mulrAC mulrC mulrA.
rewrite !of_ZM -distanceP -massE -[of_Z en](divfK (lt0r_neq0 ed0)) -/e.
move: e (of_Z ed) (of_Z (dW T)) (norm1 _) => e' d' w' N; rewrite -!mulrA ![_ * (rb * _)]mulrCA; congr (_ * _).
rewrite ![_ * (w' * _)]mulrCA; congr (_ * _); rewrite ![_ * (r * _)]mulrCA; congr (_ * _); exact: mulrCA.
Qed.

(** The rows of a node. *)
Record node_shown (f g : seq (seq Z)) (w p : seq Z) fr gr wr pr r rw rp : Prop := NodeShown {
  f_size : size f = K.+1; g_size : size g = K.+1;
  r_gt0 : 0 < r; rw_gt0 : 0 < rw; rp_gt0 : 0 < rp;
  f_shown : show ih r fr f; g_shown : show ih (rb * of_Z (dW T) * rw) gr g;
  w_shown : shows ih rw wr w; p_shown : shows ih rp pr p }.

Lemma node_below f g w p fr gr wr pr r rw rp z : node_shown f g w p fr gr wr pr r rw rp ->
  node_shown (map (emitted T (ix z)) (map (times_A T) f)) (map (emitted T (ix z)) (map (times_A T) g))
    (emitted T (ix z) (times_A T w)) (emitted T (ix z) (times_A T p))
    (fun l => step m z (fr l)) (fun l => step m z (gr l)) (step m z wr) (step m z pr)
    (of_Z (dW T) * (of_Z (dA T) * r)) (of_Z (dW T) * (of_Z (dA T) * rw)) (of_Z (dW T) * (of_Z (dA T) * rp)).
Proof.
case=> sf sg r0 rw0 rp0 fE gE wE pE; split; rewrite ?size_map ?mulr_gt0 ?(dA_gt0 D) ?(dW_gt0 D) //.
- exact: stepped.
- have := stepped D z sg gE; set s := _ * (_ * (_ * _ * rw)) => shown.
  by rewrite (_ : _ * (_ * (_ * rw)) = s) // mulrCA; congr (_ * _); exact: mulrCA.
- by move=> h; apply: (emitted_shows D) => g'; exact: (times_A_shows D).
by move=> h; apply: (emitted_shows D) => g'; exact: (times_A_shows D).
Qed.

Lemma bears_wordP f g w p fr gr wr pr r rw rp : node_shown f g w p fr gr wr pr r rw rp -> bears_word f g w ->
  word_bears b' e ties fr gr wr.
Proof.
case=> sf sg r0 rw0 rp0 fE gE wE pE; have rg0 : 0 < rb * of_Z (dW T) * rw by rewrite !mulr_gt0 ?(dW_gt0 D).
pose F := vec K.+1 (fun l => total n (nth [::] f l)); pose G := vec K.+1 (fun l => total n (nth [::] g l)).
have FE l : r * (\sum_h fr l h) = of_Z (get F (val l)).
  by rewrite (get_vec (ord_numbering K)); apply: (shows_sum ih) => h; exact: fE.
have GE l : rb * of_Z (dW T) * rw * (\sum_h gr l h) = of_Z (get G (val l)).
  by rewrite (get_vec (ord_numbering K)); apply: (shows_sum ih) => h; exact: gE.
have massE : rw * (\sum_h wr h) = of_Z (total n w) by apply: (shows_sum ih).
set l := label (fun k => \sum_h fr k h); have lE : val l = label_of K (get F) := label_shows r0 FE.
rewrite /bears_word -/F -/G -lE => /orP[/andP[mass0 /(eachP (ord_numbering K)) leads]|/and3P[ties_ok /eqP same tie]].
  left; split=> [|k neq]; first by rewrite (shows_gt0 rw0 massE).
  have /orP[/eqP/val_inj eq|] := leads k; first by rewrite eq eqxx in neq.
  by rewrite sumrB; apply: ahead_zP rw0 _ massE; rewrite mulrBr !GE of_ZB.
right; split=> //; first by apply: val_inj; rewrite (label_shows rg0 GE) same.
have [mass0|/(someP (ord_numbering K))[k /andP[other eq_lk]]] := orP tie; [left|right].
  exact: (shows_zero rw0 massE mass0).
exists k; first by rewrite other_zP.
by rewrite sumrB; apply/eqP; rewrite subr_eq0 (shows_eq rg0 (GE l) (GE k)).
Qed.

Lemma bears_allP l f g w p fr gr wr pr r rw rp : node_shown f g w p fr gr wr pr r rw rp -> bears_all l f g w p ->
  all_bear b' e (real_label K l) fr gr wr pr.
Proof.
case=> sf sg r0 rw0 rp0 fE gE wE pE /and4P[lt_l settled /(eachP ih) mass /(eachP (ord_numbering K)) leads].
have lE : val (real_label K l) = l := inordK lt_l; split.
- exact: (settlesP r0 fE rp0 pE lt_l settled).
- by move=> h; rewrite (shows_gt0 rp0 (pE h)) (shows_gt0 rw0 (wE h)); exact: (implyP (mass h)).
move=> k h neq; have /orP[/eqP eq_k|/(eachP ih)/(_ h)] := leads k.
  by case/eqP: neq; apply: val_inj; rewrite lE -eq_k.
move=> lead_kh; apply: (ahead_zP (dz := (get2 g l (ih h) - get2 g k (ih h))%coqZ) rw0 _ (wE h)); last by rewrite lE.
by rewrite mulrBr of_ZB (gE k h) (gE (real_label K l) h) lE.
Qed.

Lemma margin_zP root f g w p fr gr wr pr r rw rp t : node_shown f g w p fr gr wr pr r rw rp ->
  margin_z root f g w p t -> margin m b' e ties root fr gr wr pr (real_margin t).
Proof.
elim: t root f g w p fr gr wr pr r rw rp => [child IH|child IH||l|] root f g w p fr gr wr pr r rw rp N //=.
- case/andP=> here /(eachP ix) below; split=> [|z]; last exact: IH (node_below z N) (below z).
  by apply: (split_labels (rp_gt0 N) (p_shown N) _ here); exact: bears_wordP N.
- by move=> /(eachP ix) below z; exact: IH (node_below z N) (below z).
- exact: impossibleP (rp_gt0 N) (p_shown N).
exact: bears_allP N.
Qed.

(** ** The inputs that are left out *)

Definition over (x : Z * nat) (r v : R) : Prop := r * scale ^+ x.2 * v = of_Z x.1.

Lemma plus_zP x y r v v' : over x r v -> over y r v' -> over (plus_z x y) r (v + v').
Proof.
rewrite /over /plus_z /= => xE yE; rewrite of_ZD !of_ZM !of_Z_pow !of_ZM -/scale -xE -yE mulrDr.
have split_pow k k' u : (k <= k')%N -> r * scale ^+ k' * u = r * scale ^+ k * u * scale ^+ (k' - k).
  by move=> le; rewrite -{1}(subnKC le) exprD mulrA mulrAC.
by congr (_ + _); apply: split_pow; rewrite leq_max leqnn ?orbT.
Qed.

Lemma sum_over (F : nat -> Z * nat) (v : X -> R) r : (forall z, over (F (ix z)) r (v z)) ->
  over (foldr (fun z s => plus_z (F z) s) (0%coqZ, 0%N) (iota 0 c)) r (\sum_z v z).
Proof.
move=> vE; rewrite (eq_bigr (fun z => v (item ix (ix z)))) => [|z _]; last by rewrite numberK.
rewrite -(big_map ix xpredT (fun j => v (item ix j))) (perm_big _ (numbers ix)).
have : all (fun z => z < c)%N (iota 0 c) by apply/allP => z; rewrite mem_iota.
elim: (iota 0 c) => [|z s IH] /= => [_|/andP[lt_z /IH{}IH]]; first by rewrite big_nil /over mulr0.
by rewrite big_cons; apply: plus_zP IH; have := vE (item ix z); rewrite itemK.
Qed.

Lemma left_out_zP t p r pr : shows ih r pr p -> over (left_out_z p t) r (left_out m pr (real_margin t)).
Proof.
have whole q s qr : shows ih s qr q -> over (total n q, 0%N) s (\sum_h qr h).
  by move=> qE; rewrite /over expr0 mulr1; apply: (shows_sum ih).
have below (child : nat -> margin_tree_z) q s qr : shows ih s qr q ->
    (forall z q' s' qr', shows ih s' qr' q' -> over (left_out_z q' (child z)) s' (left_out m qr' (real_margin (child z)))) ->
    over (foldr (fun z v => let u := left_out_z (emitted T z (times_A T q)) (child z) in plus_z (u.1, u.2.+1) v)
      (0%coqZ, 0%N) (iota 0 c)) s (\sum_z left_out m (step m z qr) (real_margin (child (ix z)))).
  move=> qE IH; apply: (sum_over (F := fun z => let u := left_out_z (emitted T z (times_A T q)) (child z) in (u.1, u.2.+1))) => z.
  have := IH (ix z) _ _ _ (emitted_shows D z (times_A_shows D qE)); rewrite /over /= => <-; congr (_ * _).
  rewrite exprS mulrA; congr (_ * _).
  by rewrite /scale [of_Z (dA T) * _]mulrC mulrCA; congr (_ * _); exact: mulrC.
elim: t p r pr => [child IH|child IH||l|] p r pr pE /=; rewrite ?/over ?mulr0 //; last exact: whole pE.
  apply: below pE _ => z q s qr qE; exact: IH.
apply: plus_zP (whole _ _ _ pE) _; apply: below pE _ => z q s qr qE; exact: IH.
Qed.

(** ** The claim *)

Variables (rmu : R) (mu : seq (seq Z)) (mu' : 'I_K.+1 -> H -> R) (rmu0 : 0 < rmu) (muE : show ih rmu mu' mu).

Lemma bears_zP rw (w' : H -> R) w q t : 0 < rw -> shows ih rw w' w -> bears_z mu w q t ->
  [/\ 0 < e, margin m b' e ties true (task_rows m mu') (head_rows m b' w') w' (init m) (real_margin t) &
      left_out m (init m) (real_margin t) <= of_Q R q].
Proof.
move=> rw0 wE; rewrite /bears_z => /andP[ok_mu /andP[ok_b /and4P[_ _ ok le]]]; split; first exact: divr_gt0.
  apply: margin_zP ok; split; first by rewrite size_map (eqP ok_mu).
  - by rewrite size_map (eqP ok_b).
  - exact: (task_gt0 D rmu0).
  - exact: rw0.
  - exact: (d0_gt0 D).
  - exact: (task_E D muE ok_mu).
  - exact: (head_shows D (eqP ok_b) bE wE).
  - exact: wE.
  exact: (init_shown D).
have := left_out_zP t (init_shown D); set v := left_out_z _ _ in le *; rewrite /over => vE.
have s0 : 0 < of_Z (d0 T) * scale ^+ v.2 * of_Z (Zpos (Qden q)).
  by rewrite !mulr_gt0 ?exprn_gt0 ?(s_gt0 D) ?(d0_gt0 D) ?of_Z_gt0.
rewrite (shows_le s0 (a := (v.1 * Zpos (Qden q))%coqZ) (b := (Qnum q * (d0 T * (dA T * dW T) ^ Z.of_nat v.2))%coqZ)) //.
  by rewrite mulrAC vE of_ZM.
by rewrite /of_Q -mulrA [_ * (_ / _)]mulrC divfK ?den_neq0 // mulrC !of_ZM of_Z_pow of_ZM.
Qed.

Theorem margin_ok q t : bears_z mu (first_z T) q t ->
  forall E : X, margin_claim m b' e ties (F_star m mu') (fun x => G m (E :: x) 1) (of_Q R q).
Proof.
case/(bears_zP _ (first_shows D)) => [|e0 valid le]; first by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
exact: rule_margin e0 valid le.
Qed.

Theorem prompted_margin_ok ru u (u' : letter R H) q t : 0 < ru -> shows ih ru u' u -> is_prompt u' ->
  bears_z mu (behind_z T u) q t ->
  forall E : X, margin_claim m b' e ties (F_star m mu') (fun x => Gbar m (u' :: embed m (E :: x)) 2) (of_Q R q).
Proof.
move=> ru0 uE u01; case/(bears_zP _ (behind_shows D uE)) => [|e0 valid le].
  by rewrite !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
exact: rule_prompted_margin u01 e0 valid le.
Qed.

End Decided.
