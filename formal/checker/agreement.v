(** What decides that a head computes F*, or that F* has one label (docs/certificate-format.md, section 5), and that a
    head mislabels an input (section 7). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths
  proofs.refutations_numbers proofs.rules_agreement checker.tables checker.models checker.spans.

(** A node of a tree of words; a child for each token. *)
Inductive tree_z := SplitZ of (nat -> tree_z) | ImpossibleZ | LabelZ of nat | EqualZ.
Definition children (ts : seq tree_z) (z : nat) : tree_z := nth ImpossibleZ ts z.

(** What shows that a head serves: a tree, or spans on which its rows are multiples of the task's. *)
Inductive serves_z := TreeZ of tree_z | OnSpansZ of spans_z.

Section Decided.

Variables (T : tables) (K : nat).
Notation n := (n T).
Implicit Types (f g : seq (seq Z)) (p : seq Z).

Definition total_label f : nat := label_of K (fun l => total n (nth [::] f l)).
Definition settles_z (l : nat) f p : bool :=
  each K.+1 (fun k => each n (fun h => (get2 f k h <=? get2 f l h)%coqZ &&
    ((l < k)%N ==> (0 <? get p h)%coqZ ==> (get2 f k h <? get2 f l h)%coqZ))).

(** g_l - g_0 is a positive multiple of f_l - f_0. *)
Definition equal_z f g : bool := proportional [seq (spread f l h, spread g l h) | l <- iota 0 K.+1, h <- iota 0 n].

Fixpoint agree_z (root : bool) f g p (t : tree_z) : bool :=
  match t with
  | SplitZ child =>
      let f' := map (times_A T) f in let g' := map (times_A T) g in let p' := times_A T p in
      (root || ~~ (0 <? total n p)%coqZ || (total_label f == total_label g)) &&
      each (c T) (fun z => agree_z false (map (emitted T z) f') (map (emitted T z) g') (emitted T z p') (child z))
  | ImpossibleZ => each n (fun h => get p h =? 0)%coqZ
  | LabelZ l => [&& (l < K.+1)%N, settles_z l f p & settles_z l g p]
  | EqualZ => equal_z f g
  end.

Fixpoint constant_z (l : nat) (root : bool) f p (t : tree_z) : bool :=
  match t with
  | SplitZ child =>
      let f' := map (times_A T) f in let p' := times_A T p in
      (root || ~~ (0 <? total n p)%coqZ || (total_label f == l)) &&
      each (c T) (fun z => constant_z l false (map (emitted T z) f') (emitted T z p') (child z))
  | ImpossibleZ => each n (fun h => get p h =? 0)%coqZ
  | LabelZ k => (k == l) && settles_z l f p
  | EqualZ => false
  end.

Definition rows_ok (M : seq (seq Z)) : bool := size M == K.+1.
Definition agreement_z (mu b : seq (seq Z)) (w : seq Z) (s : serves_z) : bool :=
  let f := task_z T mu in let g := head_z T b w in
  [&& rows_ok mu, rows_ok b &
      match s with TreeZ t => agree_z true f g (p0 T) t | OnSpansZ U => equal_on_spans_z T K U f g end].
Definition one_label_z (mu : seq (seq Z)) (l : nat) (t : tree_z) : bool :=
  [&& rows_ok mu, (l < K.+1)%N & constant_z l true (task_z T mu) (p0 T) t].
Definition one_label_on_spans_z (mu scores : seq (seq Z)) (U : spans_z) (l : nat) (t : tree_z) : bool :=
  [&& rows_ok mu, rows_ok scores, (l < K.+1)%N, constant_z l true scores (p0 T) t &
      equal_on_spans_z T K U (task_z T mu) scores].
Definition labelled_z (mu : seq (seq Z)) (x : seq nat) (l : nat) : bool :=
  [&& rows_ok mu, is_input_z T x & label_z T K (task_z T mu) x == l].
Definition mislabelled_z (mu b : seq (seq Z)) (w : seq Z) (x : seq nat) : bool :=
  [&& rows_ok mu, rows_ok b, is_input_z T x & label_z T K (task_z T mu) x != label_z T K (head_z T b w) x].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Notation of_Z := (of_Z R).
Implicit Types (fr gr : 'I_K.+1 -> H -> R) (pr : H -> R) (r : R).

Definition real_label (l : nat) : 'I_K.+1 := inord l.

Lemma stepped r f fr z : size f = K.+1 -> show ih r fr f ->
  show ih (of_Z (dW T) * (of_Z (dA T) * r)) (fun l => step m z (fr l)) (map (emitted T (ix z)) (map (times_A T) f)).
Proof.
move=> size_f fE l h; rewrite /get2 !(nth_map [::]) ?size_map ?size_f ?ltn_ord //.
by apply: (emitted_shows D) => g; apply: (times_A_shows D) => g'; exact: fE.
Qed.

Lemma total_labelP r f fr : 0 < r -> show ih r fr f -> val (label (fun l => \sum_h fr l h)) = total_label f.
Proof. by move=> r0 fE; apply: (label_shows r0) => l; apply: (shows_sum ih) => h; exact: fE. Qed.

Lemma settlesP r f fr rp p pr l : 0 < r -> show ih r fr f -> 0 < rp -> shows ih rp pr p -> (l < K.+1)%N -> settles_z l f p ->
  settles (real_label l) fr pr.
Proof.
move=> r0 fE rp0 pE lt_l /(eachP (ord_numbering K)) ok k h.
have lE : val (real_label l) = l := inordK lt_l; have := fE (real_label l) h; rewrite lE => flE.
have /andP[le /implyP lt] := (eachP ih _ (ok k)) h; rewrite (shows_le r0 (fE k h) flE); split=> //.
by rewrite -[(real_label l < k)%N]/(val (real_label l) < k)%N lE (shows_gt0 rp0 (pE h)) (shows_lt r0 (fE k h) flE) => /lt/implyP.
Qed.

Lemma equalP f fr g gr r s : 0 < r -> 0 < s -> show ih r fr f -> show ih s gr g -> equal_z f g ->
  exists2 c : R, 0 < c & forall l h, difference c fr gr l h = 0.
Proof.
move=> r0 s0 fE gE /(@proportionalP R)[q q0]; rewrite all_pairs => /(eachP (ord_numbering K)) eq_fg.
exists (q * r / s) => [|l h]; first by rewrite divr_gt0 ?mulr_gt0.
apply/eqP; rewrite /difference subr_eq0; apply/eqP/(mulfI (lt0r_neq0 s0)); rewrite (spread_shows l h gE).
rewrite mulrA [s * _]mulrC divfK ?lt0r_neq0 // -mulrA (spread_shows l h fE).
by apply/eqP; exact: (eachP ih _ (eq_fg l)).
Qed.

Fixpoint real_tree (c : R) (t : tree_z) : tree R X K :=
  match t with
  | SplitZ child => Split (fun z => real_tree c (child (ix z)))
  | ImpossibleZ => Impossible _ _ _
  | LabelZ l => Label _ _ (real_label l)
  | EqualZ => Equal _ _ c
  end.

Lemma impossibleP r p pr : 0 < r -> shows ih r pr p -> each n (fun h => get p h =? 0)%coqZ -> forall h, pr h = 0.
Proof. by move=> r0 pE /(eachP ih) none h; apply/eqP; rewrite (shows_eq0 r0 (pE h)). Qed.

Lemma split_labels r p pr (P : Prop) (b : bool) root : 0 < r -> shows ih r pr p -> (b -> P) ->
  root || ~~ (0 <? total n p)%coqZ || b -> ~~ root -> 0 < \sum_h pr h -> P.
Proof. by move=> r0 pE bP; rewrite (shows_gt0 r0 (shows_sum ih pE)) => /orP[/orP[->|/negP]|/bP]. Qed.

Lemma agree_zP root r s rp f fr g gr p pr t : 0 < r -> 0 < s -> 0 < rp -> size f = K.+1 -> size g = K.+1 ->
  show ih r fr f -> show ih s gr g -> shows ih rp pr p -> agree_z root f g p t -> exists t', agree m root fr gr pr t'.
Proof.
elim: t root r s rp f fr g gr p pr => [child IH||l|] root r s rp f fr g gr p pr r0 s0 rp0 size_f size_g fE gE pE /=.
- case/andP=> here /(eachP ix) below.
  have : forall z, exists t', agree m false (fun l => step m z (fr l)) (fun l => step m z (gr l)) (step m z pr) t'.
    move=> z; have pz := emitted_shows D z (times_A_shows D pE).
    by apply: IH (stepped z size_f fE) (stepped z size_g gE) pz (below z); rewrite ?size_map ?mulr_gt0 ?(dA_gt0 D) ?(dW_gt0 D).
  case/fin_all_exists=> t' ok; exists (Split t'); split=> //; apply: (split_labels rp0 pE _ here) => /eqP eq_l.
  by apply: val_inj; rewrite (total_labelP r0 fE) (total_labelP s0 gE).
- by move=> none; exists (Impossible _ _ _); exact: (impossibleP rp0 pE none).
- by case/and3P=> lt_l sf sg; exists (Label _ _ (real_label l)); split; [exact: (settlesP r0 fE rp0 pE lt_l sf) | exact: (settlesP s0 gE rp0 pE lt_l sg)].
by case/(equalP r0 s0 fE gE) => c0 c00 eq0; exists (Equal _ _ c0).
Qed.

Lemma constant_zP l root r rp f fr p pr t : 0 < r -> 0 < rp -> size f = K.+1 -> (l < K.+1)%N ->
  show ih r fr f -> shows ih rp pr p -> constant_z l root f p t -> exists t', constant m (real_label l) root fr pr t'.
Proof.
move=> r0 rp0 size_f lt_l; elim: t root r rp r0 rp0 f fr p pr size_f => [child IH||k|] root r rp r0 rp0 f fr p pr size_f fE pE //=.
- case/andP=> here /(eachP ix) below.
  have : forall z, exists t', constant m (real_label l) false (fun l => step m z (fr l)) (step m z pr) t'.
    move=> z; have pz := emitted_shows D z (times_A_shows D pE).
    by apply: IH (stepped z size_f fE) pz (below z); rewrite ?size_map ?mulr_gt0 ?(dA_gt0 D) ?(dW_gt0 D).
  case/fin_all_exists=> t' ok; exists (Split t'); split=> //; apply: (split_labels rp0 pE _ here) => /eqP eq_l.
  by apply: val_inj; rewrite (total_labelP r0 fE) eq_l [RHS]inordK.
- by move=> none; exists (Impossible _ _ _); exact: (impossibleP rp0 pE none).
by case/andP=> _ settled; exists (Label _ _ (real_label l)); split=> //; exact: (settlesP r0 fE rp0 pE lt_l settled).
Qed.

(** ** The task and its labels *)

Variables (rmu : R) (mu : seq (seq Z)) (mu' : 'I_K.+1 -> H -> R) (rmu0 : 0 < rmu) (muE : show ih rmu mu' mu).

Lemma task_E : rows_ok mu -> show ih (rmu * of_Z (d0 T)) (task_rows m mu') (task_z T mu).
Proof. by move/eqP=> size_mu; exact: (task_shows D size_mu muE). Qed.

Lemma task_gt0 : 0 < rmu * of_Z (d0 T). Proof. by rewrite mulr_gt0 ?(d0_gt0 D). Qed.

Theorem labelled_ok x l : labelled_z mu x l -> is_input m (word ix x) /\ F_star m mu' (word ix x) = real_label l.
Proof.
case/and3P=> ok x_in /eqP lE; split; first exact: (is_inputP D x_in).
rewrite rule_task; last by case: (is_inputP D x_in).
apply: val_inj; rewrite (label_zP D task_gt0 (task_E ok)) ?lE; last exact: (is_input_word x_in).
by rewrite [RHS]inordK // -lE; rewrite -(label_zP D task_gt0 (task_E ok)) ?ltn_ord //; exact: (is_input_word x_in).
Qed.

Theorem one_label_ok l t : one_label_z mu l t -> forall x, is_input m x -> F_star m mu' x = real_label l.
Proof.
case/and3P=> ok lt_l; case/(constant_zP task_gt0 (d0_gt0 D) _ lt_l (task_E ok) (init_shown D)) => [|t' ct'].
  by rewrite size_map (eqP ok).
by move=> x; apply: (rule_one_label ct'); left.
Qed.

Theorem one_label_on_spans_ok r (s : 'I_K.+1 -> H -> R) S U l t : 0 < r -> show ih r s S -> one_label_on_spans_z mu S U l t ->
  forall x, is_input m x -> F_star m mu' x = real_label l.
Proof.
move=> r0 sE /and5P[ok_mu ok_S lt_l ct eq_U] x x_in.
have [q q0 spans] := spans_zP D task_gt0 r0 (task_E ok_mu) sE eq_U.
have [t' ct'] := constant_zP r0 (d0_gt0 D) (eqP ok_S) lt_l sE (init_shown D) ct.
rewrite rule_task; last by case: x_in.
rewrite (rule_equal_on_spans _ spans x_in); last by rewrite divr_gt0 ?mulr_gt0 ?task_gt0 // (d0_gt0 D).
by case: x_in => ne pos; apply: (constant_continues (init_ge0 m) ct' ne); rewrite -P_X_dot.
Qed.

(** ** A head of 3.3, and one of 3.6 behind the prompt u *)

Variables (rb : R) (b : seq (seq Z)) (b' : 'I_K.+1 -> X -> R) (rb0 : 0 < rb).
Hypothesis bE : forall l z, rb * b' l z = of_Z (get2 b (val l) (ix z)).

Lemma agreement_zP rw w' w s : 0 < rw -> shows ih rw w' w -> agreement_z mu b w s ->
  let f := task_rows m mu' in let g := head_rows m b' w' in (exists t, agree m true f g (init m) t) \/
  (exists (I : finType) (D : H -> {set I}) basis c, 0 < c /\ spans_vanish m D basis (difference c f g)).
Proof.
move=> rw0 wE /and3P[ok_mu ok_b]; have fE := task_E ok_mu; have gE := head_shows D (eqP ok_b) bE wE.
have g_gt0 : 0 < rb * of_Z (dW T) * rw by rewrite !mulr_gt0 ?(dW_gt0 D).
case: s => [t|U] ok; [left|right]; last first.
  have [q q0 spans] := spans_zP D task_gt0 g_gt0 fE gE ok.
  do 4!eexists; split; last exact: spans.
  by rewrite divr_gt0 ?mulr_gt0 ?(d0_gt0 D) ?(dW_gt0 D).
apply: agree_zP fE gE (init_shown D) ok; rewrite ?size_map ?(eqP ok_mu) ?(eqP ok_b) ?task_gt0 //; exact: (d0_gt0 D).
Qed.

Theorem agreement_ok s : agreement_z mu b (first_z T) s ->
  forall (E : X) (x : seq X), is_input m x -> F_star m mu' x = linear_head b' (G m (E :: x) 1).
Proof.
move=> ok E x; apply: rule_agreement; apply: agreement_zP ok; last exact: (first_shows D).
by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

Lemma mislabelled_zP rw w' w x : 0 < rw -> shows ih rw w' w -> mislabelled_z mu b w x ->
  is_input m (word ix x) /\ label_at m (task_rows m mu') (word ix x) <> label_at m (head_rows m b' w') (word ix x).
Proof.
move=> rw0 wE /and4P[ok_mu ok_b x_in differ]; split; first exact: (is_inputP D x_in).
have x_ok := is_input_word x_in; move: differ; rewrite -(label_zP D task_gt0 (task_E ok_mu) x_ok).
rewrite -(label_zP D _ (head_shows D (eqP ok_b) bE wE) x_ok) ?mulr_gt0 ?(dW_gt0 D) //.
by move=> /eqP differ same; apply: differ; rewrite same.
Qed.

Theorem mislabelled_ok (E : X) x : mislabelled_z mu b (first_z T) x ->
  ~ forall (E : X) (x : seq X), is_input m x -> F_star m mu' x = linear_head b' (G m (E :: x) 1).
Proof.
case/(mislabelled_zP _ (first_shows D)) => [|x_in differ serves]; first by rewrite mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
exact: ((rule_mislabelled mu' (fun=> 0) b' E x_in).1 differ (serves E _ x_in)).
Qed.

Variables (ru : R) (u : seq Z) (u' : letter R H) (ru0 : 0 < ru) (uE : shows ih ru u' u).

Theorem prompted_agreement_ok s : is_prompt u' -> agreement_z mu b (behind_z T u) s ->
  forall (E : X) (x : seq X), is_input m x -> F_star m mu' x = linear_head b' (Gbar m (u' :: embed m (E :: x)) 2).
Proof.
move=> u01 ok E x; apply: rule_prompted_agreement => //; apply: agreement_zP ok; last exact: (behind_shows D uE).
by rewrite !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
Qed.

Theorem prompted_mislabelled_ok (E : X) x : is_prompt u' -> mislabelled_z mu b (behind_z T u) x ->
  ~ forall (E : X) (x : seq X), is_input m x -> F_star m mu' x = linear_head b' (Gbar m (u' :: embed m (E :: x)) 2).
Proof.
move=> u01; case/(mislabelled_zP _ (behind_shows D uE)) => [|x_in differ serves].
  by rewrite !mulr_gt0 ?(dA_gt0 D) ?(d0_gt0 D).
exact: ((rule_mislabelled mu' u' b' E x_in).2 u01 differ (serves E _ x_in)).
Qed.

End Decided.
