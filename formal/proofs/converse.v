(** Every task has a head iff W diag(w) is injective on the span of the beta(x). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.refutations
  statements.converse proofs.paths proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement
  proofs.rules_refutation.

(** ** A basis of words *)

Section Basis.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (words : seq (seq X)) (v f d : H -> R) (w x : seq X).
Notation beta := (beta_of m).

(** v is a combination of the beta(w) of the words. *)
Definition spanned words v : Prop :=
  exists c : 'I_(size words) -> R, forall h, v h = \sum_i c i * beta (tnth (in_tuple words) i) h.

Lemma spanned_sum words (I : finType) (P : pred I) (c : I -> R) (v : I -> H -> R) :
  (forall i, P i -> spanned words (v i)) -> spanned words (fun h => \sum_(i | P i) c i * v i h).
Proof.
move=> each; have some i : exists d : 'I_(size words) -> R, P i ->
    forall h, v i h = \sum_k d k * beta (tnth (in_tuple words) k) h.
  by have [/each[d eq_v]|_] := boolP (P i); [exists d | exists (fun=> 0)].
have [d eq_v] := fin_all_exists some; exists (fun k => \sum_(i | P i) c i * d i k) => h.
under [RHS]eq_bigr do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => i Pi; rewrite eq_v // mulr_sumr; apply: eq_bigr => k _; exact: mulrA.
Qed.

(** Functionals that take any numbers at the beta(w). *)
Definition interpolates words : Prop :=
  forall t : 'I_(size words) -> R, exists f, forall i, dot f (beta (tnth (in_tuple words) i)) = t i.

Lemma interpolates_size words : interpolates words -> (size words <= #|H|)%N.
Proof.
move=> values; have [f eq_f] := fin_all_exists (fun i => values (fun k => (k == i)%:R)).
pose D := \matrix_(i < size words, h < #|H|) f i (enum_val h).
pose B := \matrix_(h < #|H|, i < size words) beta (tnth (in_tuple words) i) (enum_val h).
have DB : D *m B = 1%:M.
  apply/matrixP => i k; rewrite !mxE -[RHS]/((i == k)%:R) eq_sym -eq_f /dot [RHS]sum_enum.
  by apply: eq_bigr => z _; rewrite !mxE.
rewrite -[size words](mxrank1 R) -DB; exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
Qed.

(** A vector is spanned, or a functional tells it from the words. *)
Lemma spanned_or_dual words v : spanned words v \/
  exists2 d, (forall i, dot d (beta (tnth (in_tuple words) i)) = 0) & dot d v = 1.
Proof.
have [[c eq_v]|[d d0 d1]] := span_or_dual (fun i => beta (tnth (in_tuple words) i)) setT v; [left|right].
  by exists c => h; rewrite eq_v; apply: eq_bigl => i; rewrite inE.
by exists d => // i; apply: d0; rewrite inE.
Qed.

Lemma interpolates_cons words w d : interpolates words ->
  (forall i, dot d (beta (tnth (in_tuple words) i)) = 0) -> dot d (beta w) = 1 -> interpolates (w :: words).
Proof.
move=> values d0 d1 t; have [f eq_f] := values (fun i => t (lift ord0 i)).
pose c := t ord0 - dot f (beta w); exists (fun h => f h + c * d h) => i.
have eq_dot v : dot (fun h => f h + c * d h) v = dot f v + c * dot d v.
  by rewrite /dot mulr_sumr -big_split; apply: eq_bigr => h _; rewrite mulrDl mulrA.
rewrite eq_dot; have [j ->|->] := unliftP ord0 i; last by rewrite (tnth_nth w) /= d1 mulr1 addrC subrK.
have -> : tnth (in_tuple (w :: words)) (lift ord0 j) = tnth (in_tuple words) j by rewrite !(tnth_nth w).
by rewrite eq_f d0 mulr0 addr0.
Qed.

(** Either all members have the one property, or some member has the other. *)
Lemma all_or_some (T : eqType) (s : seq T) (P Q : T -> Prop) : (forall t, P t \/ Q t) ->
  (forall t, t \in s -> P t) \/ exists2 t, t \in s & Q t.
Proof.
move=> either; elim: s => [|t s [all_P|[t' in_s Qt']]]; [by left| |by right; exists t'; rewrite ?inE ?in_s ?orbT].
have [Pt|Qt] := either t; [left => t' | by right; exists t; rewrite ?mem_head].
by rewrite inE => /orP[/eqP->|/all_P].
Qed.

(** The words of one token, and one token more before each word. *)
Definition longer words : seq (seq X) := [seq z :: w | z <- enum X, w <- [::] :: words].

Lemma mem_longer words z w : w \in [::] :: words -> z :: w \in longer words.
Proof. by move=> in_w; apply/allpairsP; exists (z, w); rewrite mem_enum. Qed.

(** Some words, none empty, have independent beta(w), and these span all beta(w). *)
Lemma exists_basis : exists words, [/\ interpolates words, forall w, w \in words -> w != [::] &
  forall w, w \in longer words -> spanned words (beta w)].
Proof.
suff grow n words : (#|H| - size words < n)%N -> interpolates words -> (forall w, w \in words -> w != [::]) ->
    exists words, [/\ interpolates words, forall w, w \in words -> w != [::] &
    forall w, w \in longer words -> spanned words (beta w)].
  by apply: (grow #|H|.+1 [::]) => //; [rewrite ltnS leq_subr | move=> t; exists (fun=> 0) => -[]].
elim: n words => // n IH words le_n values nonempty.
have [longerP|[w in_w [d d0 d1]]] := all_or_some (longer words) (fun w => spanned_or_dual words (beta w)).
  by exists words.
have values' := interpolates_cons values d0 d1; apply: (IH (w :: words)) => //=.
  have := interpolates_size values' => /= lt_size; rewrite -ltnS; apply: leq_trans le_n.
  by rewrite ltnS subnS prednK // subn_gt0.
move=> w'; rewrite inE => /orP[/eqP->|]; last exact: nonempty.
by move: in_w => /allpairsP[[z y] [_ _ ->]].
Qed.

Lemma beta_nil : beta [::] =1 fun h => \sum_z 1 * beta [:: z] h.
Proof.
move=> h; rewrite /beta_of /= -[LHS](proj2 (trans_law m h)) [RHS](eq_bigr _ (fun z _ => mul1r _)).
rewrite exchange_big; apply: eq_bigr => g _; rewrite -mulr_sumr.
by under [X in _ * X]eq_bigr do rewrite mulr1; rewrite (proj2 (emit_law m g)) mulr1.
Qed.

Lemma beta_cons z w : beta (z :: w) =1 fun h => \sum_g (trans m g h * emit m z g) * beta w g.
Proof. by move=> h; apply: eq_bigr => g _; rewrite mulrA. Qed.

Lemma spanned_ext words v v' : v =1 v' -> spanned words v -> spanned words v'.
Proof. by move=> eq_v [c eq_c]; exists c => h; rewrite -eq_v. Qed.

Lemma basis_spans words : (forall w, w \in longer words -> spanned words (beta w)) -> forall w, spanned words (beta w).
Proof.
move=> longerP; have one z : spanned words (beta [:: z]) by apply/longerP/mem_longer; rewrite mem_head.
elim=> [|z w [c eq_w]].
  by apply: spanned_ext (fun h => esym (beta_nil h)) _; apply: spanned_sum => z _; exact: one.
apply: (@spanned_ext _ (fun h => \sum_i c i * beta (z :: tnth (in_tuple words) i) h)); last first.
  by apply: spanned_sum => i _; apply/longerP/mem_longer; rewrite inE mem_tnth orbT.
move=> h; under eq_bigr do rewrite beta_cons mulr_sumr.
rewrite beta_cons exchange_big; apply: eq_bigr => g _; rewrite eq_w mulr_sumr; apply: eq_bigr => i _.
by rewrite mulrCA.
Qed.

(** beta(x) = 0 where x is impossible. *)
Lemma beta_impossible x h : full_support m -> ~~ (0 < P_X m x) -> beta x h = 0.
Proof.
move=> full; have b0 g : 0 <= init m g * paths.beta m (embed m x) g.
  by rewrite mulr_ge0 ?(ltW (full g)) // beta_ge0 //; exact: nonneg_embed.
rewrite lt_neqAle /P_X probE sumr_ge0 // andbT negbK eq_sym psumr_eq0 // => /allP/(_ h).
by rewrite mem_index_enum => /(_ isT); rewrite mulf_eq0 gt_eqF //= => /eqP.
Qed.

(** What the words span is in V, if all are inputs. *)
Lemma spanned_in_span words v : full_support m -> (forall w, w \in words -> w != [::]) -> spanned words v ->
  in_beta_span m v.
Proof.
move=> full nonempty [c eq_v]; pose possible i := 0 < P_X m (tnth (in_tuple words) i).
exists [seq (c i, tnth (in_tuple words) i) | i <- enum 'I_(size words) & possible i]; split.
  move=> term /mapP[i]; rewrite mem_filter => /andP[pos _] ->; split=> //=; apply: nonempty; exact: mem_tnth.
move=> h; rewrite eq_v big_map big_filter big_enum_cond big_mkcond /=; apply: eq_bigr => i _.
by case: ifPn => // impossible; rewrite beta_impossible ?mulr0.
Qed.

End Basis.

(** ** Heads and the readout W diag(w) *)

Section Readout.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (w : H -> R).
Notation beta := (beta_of m).

(** W (w o v). *)
Definition readout (v : H -> R) (z : X) : R := \sum_h emit m z h * (w h * v h).

Lemma readout_sum (I : finType) (c : I -> R) (v : I -> H -> R) z :
  readout (fun h => \sum_i c i * v i h) z = \sum_i c i * readout (v i) z.
Proof.
rewrite /readout; under [RHS]eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => h _.
by rewrite !mulr_sumr; apply: eq_bigr => i _; rewrite [w h * _]mulrCA [LHS]mulrCA.
Qed.

Lemma readout_ext v v' z : v =1 v' -> readout v z = readout v' z.
Proof. by move=> eq_v; apply: eq_bigr => h _; rewrite eq_v. Qed.

Lemma dot_readout (b : X -> R) v : dot b (readout v) = \sum_h dot b (column m h) * w h * v h.
Proof.
rewrite /readout (dot_emission m b (fun h => w h * v h)); apply: eq_bigr => h _.
by rewrite mulrC mulrA.
Qed.

Lemma dot_head_rows (K : nat) (b : 'I_K.+1 -> X -> R) l x :
  dot (head_rows m b w l) (beta x) = dot (b l) (readout (beta x)).
Proof. by rewrite dot_readout. Qed.

(** Where it is injective on V, each functional of beta(x) is one of W (w o beta(x)). *)
Lemma functional_read f : full_support m -> injective_on_betas m w ->
  exists b : X -> R, forall x, dot b (readout (beta x)) = dot f (beta x).
Proof.
move=> full inj; have [words [values nonempty longerP]] := exists_basis m.
have spans := basis_spans longerP; pose basis i := beta (tnth (in_tuple words) i).
have [[b eq_b]|[d d0 d1]] := span_or_dual (fun z i => readout (basis i) z) setT (fun i => dot f (basis i)).
  exists b => x; have [c eq_x] := spans x.
  rewrite (eq_dot (frefl b) (fun z => readout_ext z eq_x)) (eq_dot (frefl f) eq_x).
  rewrite (eq_dot (frefl b) (readout_sum c basis)) !dot_sum; apply: eq_bigr => i _; rewrite eq_b; congr (_ * _).
  by rewrite /dot; apply: eq_bigl => z; rewrite inE.
pose v h := \sum_i d i * basis i h; have v0 : forall h, v h = 0.
  apply: inj => [|z]; first by apply: (spanned_in_span full nonempty); exists d.
  by rewrite -/(readout v z) readout_sum -[RHS](d0 z) ?inE //; apply: eq_bigr.
have /eqP : dot f v = 1 by rewrite -d1; exact: dot_sum.
by rewrite /dot big1 1?eq_sym ?oner_eq0 // => h _; rewrite v0 mulr0.
Qed.

Lemma head_of_injective (K : nat) (mu : 'I_K.+1 -> H -> R) : full_support m -> injective_on_betas m w ->
  exists b : 'I_K.+1 -> X -> R, forall x, 0 < P_X m x -> F_star m mu x = label_at m (head_rows m b w) x.
Proof.
move=> full inj; have [b eq_b] := fin_all_exists (fun l => functional_read (task_rows m mu l) full inj).
by exists b => x pos; rewrite rule_task //; apply: label_ext => l; rewrite dot_head_rows eq_b.
Qed.

(** Columns are independent, or some column is in the span of the others. *)
Lemma independent_or (I : finType) (D : {set I}) (col : I -> X -> R) :
  independent D col \/ exists2 i, i \in D & in_span (D :\ i) col (col i).
Proof.
have [n] := ubnP #|D|; elim: n D => // n IH D le_n; have [->|[k kD]] := set_0Vmem D.
  by left => c _ i; rewrite inE.
have [indep|[i]] := IH (D :\ k) (leq_trans (proper_card (properD1 kD)) le_n); last first.
  rewrite in_setD1 => /andP[neq iD] [c eq_c]; right; exists i => //.
  exists (fun j => if j == k then 0 else c j) => z; rewrite eq_c big_mkcond [RHS]big_mkcond; apply: eq_bigr => j _.
  by rewrite !in_setD1; case: (j == i); case: (j == k) => //=; case: (j \in D); rewrite ?mul0r.
have [in_s|[d d0 d1]] := span_or_dual col (D :\ k) (col k); [by right; exists k | left => c zero].
have ck0 : c k = 0.
  have : dot d (fun z => \sum_(i in D) c i * col i z) = 0 by apply: big1 => z _; rewrite zero mulr0.
  rewrite dot_sum (bigD1 k) //= d1 mulr1 big1 ?addr0 // => i /andP[iD neq]; rewrite d0 ?mulr0 //.
  by rewrite in_setD1 neq.
move=> i iD; have [->//|neq] := eqVneq i k; apply: indep; last by rewrite in_setD1 neq.
move=> z; rewrite -[RHS](zero z) [RHS](bigD1 k) //= ck0 mul0r add0r; apply: eq_bigl => j.
by rewrite in_setD1 andbC.
Qed.

(** It is, or some binary task has no head: the scores of the beta(x) of a basis, at which a head would have
    their signs, have a combination that is positive and 0. *)
Lemma injective_or_hardest_task : full_support m -> injective_on_betas m w \/
  exists mu : H -> R, forall b : 'I_2 -> X -> R,
  exists2 x, is_input m x & F_star m (binary mu) x <> label_at m (head_rows m b w) x.
Proof.
move=> full; have [words [values nonempty longerP]] := exists_basis m.
have spans := basis_spans longerP; pose basis i := beta (tnth (in_tuple words) i).
have [indep|[k _ [c eq_c]]] := independent_or setT (fun i => readout (basis i)).
  left=> v [terms [inputs eq_v]] zero h.
  have [t eq_t] : spanned m words v.
    apply: (@spanned_ext _ _ _ _ _ (fun h => \sum_(k < size terms) (tnth (in_tuple terms) k).1 *
      beta (tnth (in_tuple terms) k).2 h)) => [g|]; last by apply: spanned_sum => k _; exact: spans.
    by rewrite eq_v big_tnth.
  rewrite eq_t big1 // => i _; rewrite (indep t) ?inE ?mul0r // => z.
  transitivity (readout v z); last exact: zero.
  by rewrite (readout_ext z eq_t) readout_sum; apply: eq_bigl => j; rewrite inE.
right; pose t i := if i == k then -1 else c i.
have sum_t z : \sum_i t i * readout (basis i) z = 0.
  rewrite (bigD1 k) //= {1}/t eqxx mulN1r eq_c; apply/eqP; rewrite addrC subr_eq0; apply/eqP.
  by apply: eq_big => [i|i /negbTE neq]; rewrite ?inE ?andbT // /t neq.
have [f eq_f] := values t; exists (fun h => f h / init m h) => b.
have inputs i : is_input m (tnth (in_tuple words) i).
  split; first by apply: nonempty; exact: mem_tnth.
  apply: contraT => impossible; have [g eq_g] := values (fun=> 1); have := eq_g i.
  by rewrite /dot big1 => [/eqP|h _]; [rewrite eq_sym oner_eq0 | rewrite beta_impossible ?mulr0].
pose right i := F_star m (binary (fun h => f h / init m h)) (tnth (in_tuple words) i) ==
  label_at m (head_rows m b w) (tnth (in_tuple words) i).
have [/forallP all_right|] := boolP [forall i, right i]; last first.
  by rewrite negb_forall => /existsP[i /eqP wrong]; exists (tnth (in_tuple words) i).
pose d z := b ord_max z - b ord0 z.
have same i : (0 <= t i) = (0 <= dot d (readout (basis i))).
  have /eqP := all_right i; rewrite rule_task ?(proj2 (inputs i)) //.
  rewrite /label_at (label_ext (s' := fun l => dot (binary f l) (basis i))) => [|l]; last first.
    apply: eq_dot => // h; rewrite /task_rows /binary; case: ifP => _; first by rewrite mul0r.
    by rewrite divfK // gt_eqF.
  rewrite [RHS](label_ext (s' := fun l => dot (b l) (readout (basis i)))) => [|l]; last exact: dot_head_rows.
  by move/binary_head; rewrite eq_f.
have pos i : 0 <= t i * dot d (readout (basis i)).
  have [t0|t0] := leP 0 (t i); first by rewrite mulr_ge0 // -same.
  by rewrite mulr_le0 ?ltW // ltNge -same -ltNge.
have : \sum_i t i * dot d (readout (basis i)) = 0.
  rewrite -(dot_sum xpredT t (fun i => readout (basis i))); apply: big1 => z _; by rewrite sum_t mulr0.
move/eqP; rewrite psumr_eq0 // => /allP/(_ k); rewrite mem_index_enum => /(_ isT).
have tk : t k = -1 by rewrite /t eqxx.
rewrite /= tk mulN1r oppr_eq0 => /eqP zero; have := same k; by rewrite tk zero lexx oppr_ge0 lt_geF ?ltr01.
Qed.

End Readout.

Section EveryTask.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (w : H -> R).
Variable head : forall K : nat, ('I_K.+1 -> X -> R) -> X -> seq X -> 'I_K.+1.
Hypothesis full : full_support m.
Hypothesis eq_head : forall K (b : 'I_K.+1 -> X -> R) E x, head b E x = label_at m (head_rows m b w) x.

Lemma every_task : (forall K (mu : 'I_K.+1 -> H -> R), exists b : 'I_K.+1 -> X -> R, forall (E : X) x, 0 < P_X m x ->
    F_star m mu x = head b E x) <-> injective_on_betas m w.
Proof.
split=> [all_serve|inj K mu]; last first.
  by have [b eq_b] := head_of_injective mu full inj; exists b => E x pos; rewrite eq_head eq_b.
have [//|[mu none]] := injective_or_hardest_task w full; have [b eq_b] := all_serve _ (binary mu).
have [h _] := law_gt0 (init_law m); have [E _] := law_gt0 (emit_law m h).
by have [x [_ pos]] := none b; rewrite (eq_b E) // eq_head.
Qed.

Lemma no_head : ~ injective_on_betas m w -> exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
  exists2 x, is_input m x & F_star m (binary mu) x <> head b E x.
Proof.
have [//|[mu none] _] := injective_or_hardest_task w full; exists mu => b E.
by have [x in_x wrong] := none b; exists x; rewrite ?eq_head.
Qed.

(** Where the beta(x) span R^H, it is injective iff 3.1 holds and w is nowhere 0. *)
Lemma injective_on_all : betas_span_all m -> injective_on_betas m w <-> assumption_3_1 m /\ forall h, w h != 0.
Proof.
move=> all; split=> [inj|[indep w0] v _ zero h]; last first.
  apply/eqP; have /eqP : w h * v h = 0; last by rewrite mulf_eq0 (negbTE (w0 h)).
  apply: (indep (fun h => w h * v h)) (in_setT h) => z; rewrite -[RHS](zero z).
  by apply: eq_big => [g|g _]; [rewrite inE | exact: mulrC].
have w0 h : w h != 0.
  apply/eqP => wh0; suff /eqP : (h == h)%:R = 0 :> R by rewrite eqxx oner_eq0.
  apply: (inj (fun g => (g == h)%:R)) => // z.
  by apply: big1 => g _; case: eqP => [->|_]; rewrite ?wh0 ?mul0r ?mulr0.
split=> // c zero h _; apply/eqP; have /eqP : c h / w h = 0; last by rewrite mulf_eq0 invr_eq0 (negbTE (w0 h)) orbF.
apply: (inj (fun h => c h / w h)) => // z; rewrite -[RHS](zero z).
by apply: eq_big => [g|g _]; rewrite ?inE // [w g * _]mulrCA mulfV // mulr1 mulrC.
Qed.

End EveryTask.

Theorem every_task_has_a_head : statement_every_task.
Proof.
move=> R H X m full; have eq_head K (b : 'I_K.+1 -> X -> R) E x := rule_head m b E x.
split; first exact: (every_task full eq_head).
exact: (no_head full eq_head).
Qed.

Theorem every_task_needs_3_1 : statement_every_task_3_1.
Proof.
move=> R H X m full all; apply: iff_trans (proj1 (every_task_has_a_head full)) _.
apply: iff_trans (injective_on_all _ all) _.
by split=> -[indep P1]; split=> // h; rewrite ?gt_eqF // lt0r P1 P_H_ge0.
Qed.

Theorem every_task_behind_a_prompt : statement_every_task_prompted.
Proof.
move=> R H X m u full u01; have eq_head K (b : 'I_K.+1 -> X -> R) E x := rule_prompted_head m b E x u01.
have none := no_head full eq_head; split=> //; first exact: (every_task full eq_head).
by move=> all not_3_1; apply: none => /(injective_on_all _ all)[].
Qed.

(** ** One condition in the place of 3.2 *)

Theorem linear_head_start_reached : statement_3_3_start_reached.
Proof.
move=> R H X m K mu reached coloops; pose nu l h := if 0 < init m h then mu l h else 0.
have supp_nu h : h \in supp nu -> h \in supp mu /\ 0 < init m h.
  rewrite !inE /nu => /existsP[l]; case: ifP => [pos nz|]; last by rewrite eqxx.
  by split=> //; apply/existsP; exists l.
have [|||b eq_b] := head_on_coloops (m := m) (mu := nu) (w := P_H m 1).
- by move=> h; exact: P_H_ge0.
- by apply/subsetP => h /supp_nu[_ pos]; rewrite inE reached.
- by move=> h /supp_nu[in_mu pos]; exact: coloops.
exists b => E x pos; rewrite -(eq_b x) // => [|z]; last exact: G_first.
apply: label_ext => l; apply: eq_bigr => h _; rewrite posterior0 /nu; case: ifP => // /negbT.
by rewrite lt0r (proj1 (init_law m)) andbT negbK => /eqP->; rewrite !mul0r mulr0.
Qed.

Theorem linear_head_regular : statement_3_3_regular.
Proof.
move=> R H X m K mu indep reached; apply: linear_head_start_reached => // h _ _ [c eq_c].
case: (independent_coloop indep (in_setT h)); exists (fun g => if 0 < P_H m 1 g then c g else 0) => z.
rewrite eq_c big_mkcond [RHS]big_mkcond; apply: eq_bigr => g _; rewrite !inE andbT.
by case: (g == h) => //=; case: ifP => //= _; rewrite ?mul0r.
Qed.

Theorem prompted_head_regular : statement_3_6_regular.
Proof.
move=> R H X m K mu Hstar B indep sub eq_H possible; pose u := cover_prompt R B.
have u01 : is_prompt u := is_prompt_cover R B.
have eq_D : [set h | 0 < after_prompt m u h] = Hstar.
  rewrite eq_H; apply/setP => h; rewrite !inE /after_prompt /next sum_gt0 => [|g]; last first.
    by rewrite mulr_ge0 ?trans_ge0 // mulr_ge0 ?P_H_ge0 // ler0n.
  apply/existsP/existsP => -[g]; last first.
    by move=> /andP[gB pos]; exists g; rewrite /u /cover_prompt gB mulr1 mulr_gt0 ?possible.
  move=> pos; exists g; move: pos; rewrite /u /cover_prompt; case: (g \in B); last by rewrite !mulr0 ltxx.
  rewrite mulr1 /= => pos; rewrite lt0r trans_ge0 andbT.
  by apply: contraTneq pos => ->; rewrite mul0r ltxx.
exists u => //; have [|||b eq_b] := head_on_coloops (m := m) (mu := mu) (w := after_prompt m u); rewrite ?eq_D //.
- by move=> h; exact: after_prompt_ge0.
- by move=> h in_mu; apply: independent_coloop => //; exact: (subsetP sub).
by exists b => E x pos; apply: eq_b => // z; exact: Gbar_prompt.
Qed.

Theorem start_reached_from_assumptions : statement_start_reached.
Proof.
move=> R H X m; split=> [erg h _|stat h]; first exact: ergodic_P_H_gt0.
rewrite stat P_HS; rewrite /next; under [X in _ -> 0 < X]eq_bigr do rewrite P_H0; by [].
Qed.
