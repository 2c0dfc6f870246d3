(** What decides that a lemma of appendix C fails on a memory model (docs/certificate-format.md, sections 10 and 11), and
    what a generated file about one applies. *)

From Headproof Require Import definitions.prelude.
From Headproof Require Export checker.memory_lemmas.
From Headproof Require Import statements.rules_memory statements.rules_lemmas proofs.paths proofs.message_passing
  proofs.memory_laws proofs.theorems_4 proofs.rules_agreement proofs.rules_lemmas proofs.rules_messages.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Terms that cancel *)

Section Terms.

(** Inputs; of each a mask of the positions that are wanted, and a row for each position: an output times its total. *)
Variables (c K : nat) (inputs : seq (seq nat)) (mask : seq nat -> bitseq) (row : seq nat -> nat -> seq Z).
Notation text k := (nth [::] inputs k).

(** w over the total of a row: sums of outputs with weights are sums of rows with these, as integers. *)
Definition share (w : Z) (x : seq nat) (i : nat) : Q := Qred ((w # 1) / (total c.+1 (row x i) # 1))%coqQ.

(** Terms of keys: (input, a wanted position, another, weight). *)
Let t0 : term_z := (0, 0, 0, 0%coqZ)%N.
Definition key_term_z (t : term_z) : bool :=
  let: (k, i, i', w) := t in let wanted := mask (text k) in
  [&& (k < size inputs)%N, nth false wanted i, (i' < size wanted)%N, i' != i & if nth false wanted i' then ~~ (w =? 0)%coqZ else (0 <? w)%coqZ].
Definition cancels_z (ts : seq term_z) : bool :=
  let ws := integers2 [seq [:: share t.2 (text t.1.1.1) t.1.1.2; share t.2 (text t.1.1.1) t.1.2] | t <- ts] in
  [&& all key_term_z ts, has (fun t => ~~ nth false (mask (text t.1.1.1)) t.1.2) ts &
      each c.+1 (fun z => sum (size ts) (fun k => let: (n, i, i', _) := nth t0 ts k in
        get (row (text n) i) z * get2 ws k 0 - get (row (text n) i') z * get2 ws k 1) =? 0)%coqZ].

(** Terms of values: (input, a wanted position, numbers for the labels); the scores that they weigh. *)
Definition value_term : Type := nat * nat * seq Z.
Let v0 : value_term := (0, 0, [::])%N.
Variable score : seq nat -> seq Z.
Definition worth_z (t : value_term) : Z := dot_z K.+1 (score (text t.1.1)) t.2.
Definition value_term_z (t : value_term) : bool :=
  let x := text t.1.1 in
  [&& (t.1.1 < size inputs)%N, nth false (mask x) t.1.2, some c.+1 (fun z => ~~ (get (row x t.1.2) z * total c.+1 (row x t.1.2) =? 0)%coqZ) & (0 <=? worth_z t)%coqZ].
Definition no_values_on (ts : seq value_term) : bool :=
  let ws := integers2 [seq [seq share (get t.2 l) (text t.1.1) t.1.2 | l <- iota 0 K.+1] | t <- ts] in
  [&& all value_term_z ts, has (fun t => 0 <? worth_z t)%coqZ ts &
      each K.+1 (fun l => each c.+1 (fun z' => each c.+1 (fun z => sum (size ts) (fun k => let t := nth v0 ts k in
        if nth 0%N (text t.1.1) t.1.2 == z' then get (row (text t.1.1) t.1.2) z * get2 ws k l else 0) =? 0)))%coqZ].

Variable R : realFieldType.
Notation of_Z := (of_Z R).
Notation X := (ordinal_finType c.+1).
Notation ix := (ord_numbering c).
Notation word := (word ix).
(** The output at a row. *)
Notation out_row v z := (of_Z (get v (ix z)) / of_Z (total c.+1 v)).

Lemma share_shows s k l w x i (z : X) : entry2 s k l = share w x i ->
  of_Z (common (flatten s)) * (of_Z w * out_row (row x i) z) = of_Z (get (row x i) (ix z) * get2 (integers2 s) k l).
Proof.
move=> sE; rewrite of_ZM -(integers2_entry R) sE of_Q_red of_Q_div -!of_Z_of_Q [RHS]mulrC -[RHS]mulrA; congr (_ * _).
by rewrite [RHS]mulrC mulrCA.
Qed.

Lemma keysP (len : seq X -> nat) (out : seq X -> nat -> X -> R) (wanted : forall x, {set 'I_(len x)}) (good : seq X -> Prop) ts :
  (forall x, x \in inputs -> [/\ good (word x), size (mask x) = len (word x) &
    forall i : 'I_(len (word x)), (i \in wanted (word x)) = nth false (mask x) i]) ->
  (forall x i z, x \in inputs -> (i < size (mask x))%N -> out (word x) i.+1 z = out_row (row x i) z) ->
  cancels_z ts ->
  let at_ (t : 'I_(size ts)) := nth t0 ts t in
  exists here there : forall t, 'I_(len (word (text (at_ t).1.1.1))),
    [/\ no_keys out wanted good here there (fun t => of_Z (at_ t).2),
        forall t, here t = (at_ t).1.1.2 :> nat & forall t, there t = (at_ t).1.2 :> nat].
Proof.
move=> maskE rowE; rewrite /cancels_z; set L := map _ ts; move=> /and3P[/(all_nthP t0) good_t unwanted /(eachP ix) zero]; pose at_ (t : 'I_(size ts)) := nth t0 ts t.
have in_t t : [/\ (text (at_ t).1.1.1) \in inputs, nth false (mask (text (at_ t).1.1.1)) (at_ t).1.1.2,
    ((at_ t).1.2 < size (mask (text (at_ t).1.1.1)))%N &
    ~~ nth false (mask (text (at_ t).1.1.1)) (at_ t).1.2 -> 0 < of_Z (at_ t).2].
  have := good_t t (ltn_ord t); rewrite -/(at_ t); case: (at_ t) => [[[k i] i'] w] /and5P[lt_k i_in lt_i' _ sign].
  by split=> //; [exact: mem_nth | move=> /= /negbTE no; move: sign; rewrite no -of_Z0 of_Z_lt].
have lt_mask x i : nth false (mask x) i -> (i < size (mask x))%N by move=> i_in; rewrite ltnNge; apply: contraL i_in => le; rewrite nth_default.
have place t k : (k < size (mask (text (at_ t).1.1.1)))%N -> exists i : 'I_(len (word (text (at_ t).1.1.1))), i = k :> nat.
  by have [x_in _ _ _] := in_t t; have [_ -> _] := maskE _ x_in => lt_k; exists (Ordinal lt_k).
have /fin_all_exists[here hereE] t : exists i : 'I_(len (word (text (at_ t).1.1.1))), i = (at_ t).1.1.2 :> nat.
  by have [_ /lt_mask lt_i _ _] := in_t t; exact: place.
have /fin_all_exists[there thereE] t : exists i : 'I_(len (word (text (at_ t).1.1.1))), i = (at_ t).1.2 :> nat.
  by have [_ _ lt_i _] := in_t t; exact: place.
exists here, there; split=> //; split=> [t|t||z].
- by have [x_in i_in _ _] := in_t t; have [x_good _ ->] := maskE _ x_in; rewrite hereE.
- by have [x_in _ _ pos] := in_t t; have [_ _ ->] := maskE _ x_in; rewrite thereE.
- have /(has_nthP t0)[i lt_i no] := unwanted; exists (Ordinal lt_i).
  by have [x_in _ _ _] := in_t (Ordinal lt_i); have [_ _ ->] := maskE _ x_in; rewrite thereE.
apply: (shows_zero (common_gt0 R (flatten L)) _ (zero z)); rewrite of_sum_ord mulr_sumr; apply: eq_bigr => t _.
have [x_in /lt_mask lt_i lt_i' _] := in_t t; rewrite hereE thereE !rowE // mulrBr mulrBr.
have sE l : entry2 L t l = entry [:: share (at_ t).2 (text (at_ t).1.1.1) (at_ t).1.1.2; share (at_ t).2 (text (at_ t).1.1.1) (at_ t).1.2] l.
  by rewrite /entry2 (nth_map t0).
by rewrite (share_shows z (sE 0%N)) (share_shows z (sE 1%N)) -of_ZB -/(at_ t); case: (at_ t) => [[[]]].
Qed.

Lemma token_word (x : seq X) z i : (i < size x)%N -> (nth z x i == z) = (nth 0%N (map ix x) i == ix z).
Proof. by move=> lt_i; rewrite (nth_map z) // (inj_eq (can_inj (numberK ix))). Qed.

Lemma valuesP N (M S : finType) (m : memory_hmm R N M S X) (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S})
    (possible : forall x : seq X, 'I_(size x) -> Prop) (out : forall x : seq X, 'I_(size x) -> X -> R) ts :
  (forall x, x \in inputs -> [/\ map ix (word x) = x, in_R m Hs (word x), size (mask x) = size x,
    forall i : 'I_(size (word x)), (i \in Ihat m Hs (word x)) = nth false (mask x) i &
    exists2 r : R, 0 < r & forall l : 'I_K.+1, r * dot (mu l) (memory_posterior m j (word x)) = of_Z (get (score x) l)]) ->
  (forall x (i : 'I_(size (word x))) z, x \in inputs -> out _ i z = out_row (row x i) z) ->
  (forall x (i : 'I_(size x)), (exists z, out _ i z != 0) -> possible _ i) ->
  no_values_on ts ->
  let at_ (t : 'I_(size ts)) := nth v0 ts t in
  exists place : forall t, 'I_(size (word (text (at_ t).1.1))),
    no_values m mu j Hs possible place (fun t l => of_Z (get (at_ t).2 l)) out.
Proof.
move=> inputE rowE possibleE; rewrite /no_values_on; set L := map _ ts; move=> /and3P[/(all_nthP v0) good_t gains zero]; pose at_ (t : 'I_(size ts)) := nth v0 ts t.
have in_t t : [/\ text (at_ t).1.1 \in inputs, nth false (mask (text (at_ t).1.1)) (at_ t).1.2,
    some c.+1 (fun z => ~~ (get (row (text (at_ t).1.1) (at_ t).1.2) z * total c.+1 (row (text (at_ t).1.1) (at_ t).1.2) =? 0)%coqZ) &
    (0 <=? worth_z (at_ t))%coqZ].
  by have /and4P[lt_k] := good_t t (ltn_ord t); split=> //; exact: mem_nth.
have lt_t t : ((at_ t).1.2 < size (word (text (at_ t).1.1)))%N.
  have [x_in i_in _ _] := in_t t; have [_ _ sizeE _ _] := inputE _ x_in.
  by rewrite size_map -sizeE ltnNge; apply: contraL i_in => le; rewrite nth_default.
exists (fun t => Ordinal (lt_t t)).
have worthE t : exists2 r : R, 0 < r &
    r * (\sum_(l : 'I_K.+1) of_Z (get (at_ t).2 l) * dot (mu l) (memory_posterior m j (word (text (at_ t).1.1)))) = of_Z (worth_z (at_ t)).
  have [x_in _ _ _] := in_t t; have [_ _ _ _ [r r0 scoreE]] := inputE _ x_in; exists r => //.
  by apply: (shows_sum (ord_numbering K)) => l; rewrite of_ZM -scoreE [of_Z _ * dot _ _]mulrC mulrA.
split=> [t|l z' z|t|].
- have [x_in i_in /(someP ix)[z nz] _] := in_t t; have [_ x_R _ -> _] := inputE _ x_in; split=> //.
  by apply: possibleE; exists z; move: nz; rewrite -(of_Z_eqE R) of_ZM (rowE _ (Ordinal (lt_t t)) z x_in) !mulf_eq0 invr_eq0.
- move: zero => /(eachP (ord_numbering K))/(_ l)/(eachP ix)/(_ z')/(eachP ix)/(_ z) zero.
  apply: (shows_zero (common_gt0 R (flatten L)) _ zero); rewrite of_sum_ord big_mkcond mulr_sumr; apply: eq_bigr => t _.
  have [x_in _ _ _] := in_t t; have [eq_x _ _ _ _] := inputE _ x_in.
  rewrite (tnth_nth z') /= -/(at_ t) token_word // eq_x.
  have sE : entry2 L t l = share (get (at_ t).2 l) (text (at_ t).1.1) (at_ t).1.2.
    by rewrite /entry2 (nth_map v0) // /entry [LHS](nth_table (ord_numbering K)).
  by case: ifP => _; [rewrite rowE // (share_shows z sE) | exact: mulr0].
- by have [r r0 E] := worthE t; have [_ _ _] := in_t t; rewrite -(of_Z_le R) -E of_Z0 pmulr_rge0.
have /(has_nthP v0)[i lt_i pos] := gains; exists (Ordinal lt_i).
by have [r r0 E] := worthE (Ordinal lt_i); rewrite (shows_gt0 r0 E).
Qed.

End Terms.

Section Failures.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation size_bar := (a.+1 ^ N.+1 * states)%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation chain_T := (chain_tables N b initial transition).
Notation bar_T := (bar_tables N a b c memories initial transition emission).
Notation mu_z := (integers2 mu).
Notation star := (star N a b K mu j).
Notation p_z := (integers memories).

(** ** What a text shows *)

Definition moved_z (h : nat) (x : seq nat) : bool :=
  [&& ~~ (get (first_z chain_T) h =? dA chain_T * get (p0 chain_T) h)%coqZ, all (fun z => z < c.+1)%N x, x != [::] &
      let beta := beta_in bar_T (size x) x in
      some size_bar (fun k => [&& (k %% states == h)%N, (0 <? get p_z (k %/ states))%coqZ & (0 <? get beta k)%coqZ])].

Definition prior_lacks_z (h : nat) : bool :=
  let p1 := first_z chain_T in
  [&& (h < states)%N, (j < N.+1)%N, (0 <? get (times_A chain_T p1) h)%coqZ, (get p1 h =? 0)%coqZ & some_named N a b K memories mu j].

(** Sums over the states of Hbar of f o p o beta(x), f a row of the lifted task, and of p o beta(x). *)
Definition posterior_moves_z (x : seq nat) : bool :=
  let T := bar_T in let beta := beta_in T (size x) x in let first := p0 T in let second := first_z T in
  let U := integers star in let behind := product_z T second U in let f := lifted_z N a b j mu_z in
  let on v p := dot_z size_bar (product_z T v p) beta in
  [&& (j < N.+1)%N, rows_ok K mu_z, all (fun z => z < c.+1)%N x, (0 <? dot_z size_bar behind beta)%coqZ &
      (dot_z size_bar first beta =? 0)%coqZ || some K.+1 (fun l => let row := nth [::] f l in
        ~~ (on row behind * dot_z size_bar first beta =? common star * on row first * dot_z size_bar second beta)%coqZ)].

Definition posterior_remains_z (x : seq nat) : bool :=
  let T := bar_T in let beta := beta_in T (size x) x in
  [&& (j < N.+1)%N && rows_ok K mu_z, is_input_z T x, (dot_z size_bar (product_z T (first_z T) (integers star)) beta =? 0)%coqZ &
      some K.+1 (fun l => ~~ (dot_z size_bar (nth [::] (task_z T (lifted_z N a b j mu_z)) l) beta =? 0)%coqZ)].

(** ** No dual vectors behind the prompt *)

Definition star_duals_fail_z : nat -> word_terms -> bool :=
  no_duals_z N a b c memories initial transition emission j S' (behind_z bar_T (integers star)).

(** ** Texts that no keys or values serve *)

Section Computed.

Variable T : tables.

Definition sure_in (x : seq nat) : bitseq := [seq sure_z N a b j S' T x i | i <- iota 0 (size x)].
Definition plain_rows (x : seq nat) : seq (seq Z) := let p := first_z T in [seq emission_z T (memory_texts.tau_z T p x i.+1) | i <- iota 0 (size x)].
Definition rows_behind (U : seq Z) (x : seq nat) : seq (seq Z) := [seq emission_z T (law_z T U x i) | i <- iota 0 (size x).+1].
Definition scores_in (x : seq nat) : seq Z :=
  let f := task_z T (lifted_z N a b j mu_z) in let beta := beta_in T (size x) x in vec K.+1 (fun l => dot_z size_bar (nth [::] f l) beta).

Variable inputs : seq (seq nat).
Definition all_in_R : bool := all (in_R_z N a b j S' T) inputs.
Definition row_of (rows : seq (seq nat * seq (seq Z))) (x : seq nat) (i : nat) : seq Z := nth [::] (look [::] rows x) i.

Definition no_keys_in (ts : seq term_z) : bool :=
  let masks := tabulate sure_in inputs in let rows := tabulate plain_rows inputs in
  all_in_R && cancels_z c inputs (look [::] masks) (row_of rows) ts.

(** Of the texts behind the prompt the first [more] positions have a law, all but the last or all; what is wanted is one later. *)
Definition no_prompted_keys_in (more : nat) (ts : seq term_z) : bool :=
  let U := integers star in let masks := tabulate (fun x => false :: sure_in x) inputs in
  let rows := tabulate (rows_behind U) inputs in
  [&& all_in_R, all (fun x => all (fun i => 0 <? total size_bar (law_z T U x i))%coqZ (iota 0 (size x + more))) inputs,
      cancels_z c inputs (look [::] masks) (row_of rows) ts & balanced_z (fun t : term_z => t.1.1.2) (fun t => t.1.2) snd ts].

Definition no_values_in (outs : seq nat -> seq (seq Z)) (first : nat) (ts : seq value_term) : bool :=
  let masks := tabulate sure_in inputs in let rows := tabulate outs inputs in let scores := tabulate scores_in inputs in
  [&& rows_ok K mu_z, all_in_R & no_values_on c K inputs (look [::] masks) (fun x i => row_of rows x (i + first)) (look [::] scores) ts].

End Computed.

Definition no_keys_z := no_keys_in bar_T.
Definition no_prompted_keys_z more inputs ts : bool := (j < N.+1)%N && no_prompted_keys_in bar_T inputs more ts.
Definition no_values_z inputs ts : bool := let T := bar_T in (j < N.+1)%N && no_values_in T inputs (plain_rows T) 0 ts.
Definition no_prompted_values_z inputs ts : bool :=
  let T := bar_T in let U := integers star in (j < N.+1)%N && no_values_in T inputs (rows_behind T U) 1 ts.

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation ih := (hidden_numbering N b).
Notation ig := (full_numbering N a b).
Notation ix := (ord_numbering c).
Notation word := (word ix).
Notation cell := (inord j : 'I_N.+1).
Notation Sstar := [set t : S | val t \in S'].
Notation Hstar := (recoverable_states N b.+1 j S').
Notation task := (@memory_task R mu K.+1 a.+1).
Notation prompt := (paper_prompt (supp task) cell : letter R (full N.+1 M S)).
Notation text_ok := (all (fun z => (z < c.+1)%N)).

Let chainD := chain_describes R valid.
Let barD := bar_describes R valid.

Lemma star_shows : (j < N.+1)%N -> shows (T := bar_T) ig (of_Z (common star)) prompt (integers star).
Proof. by move=> lt_j g; rewrite -starE //; exact: integers_entry. Qed.

Lemma task_rows_shown : (j < N.+1)%N -> rows_ok K mu_z -> show (T := bar_T) ig (of_Z (common (flatten mu)) * of_Z (d0 bar_T))
  (task_rows (hbar m) (lifted task cell)) (task_z bar_T (lifted_z N a b j mu_z)).
Proof.
move=> lt_j ok_mu; apply: (task_E barD (@lifted_shown N a b c K memories initial transition emission mu j R lt_j ok_mu)).
by rewrite /rows_ok size_map.
Qed.

Theorem fails_C_8 h x : moved_z h x -> ~ says_C_8 m.
Proof.
case/and4P=> moved ok some_x /(someP ig)[g /and3P[/eqP eq_h g_pos beta_pos]] says.
rewrite [(_ %% states)%N]pair_number_mod in eq_h; rewrite [(_ %/ states)%N]pair_number_div in g_pos.
apply: (@rule_moved _ _ _ _ _ m g (word x)); [|by rewrite memory_gt0|by rewrite (beta_gt0 barD)|].
  2: by apply: (says (word x) 1%N g); first by case: (x) some_x.
move: moved; rewrite -eq_h -(of_Z_eqE R) of_ZM -(first_shows chainD g.2) -(init_shown chainD g.2) => /eqP moved same; apply: moved.
by rewrite same mulrA.
Qed.

Theorem fails_C_12 h : prior_lacks_z h -> ~ says_C_12 m task cell.
Proof.
case/and5P=> lt_h lt_j P2 P1 /(someP ig)[[v f] /andP[v_pos v_named]] says.
have [||||lacks zero] := @rule_prior_lacks R N.+1 M S X m (supp task) cell v (item ih h) ord0.
- by rewrite memory_gt0; move: v_pos; rewrite [(_ %/ states)%N]pair_number_div.
- by move: v_named; rewrite -(named_P K mu (R := R)).
- by rewrite second_pos itemK.
- by apply/eqP; rewrite (shows_eq0 _ (first_shows chainD _)) ?itemK // mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD).
by have := says [:: ord0] 2%N _ isT lacks; rewrite zero ltxx.
Qed.

Theorem fails_C_14 x : posterior_moves_z x -> ~ says_C_14 m task cell.
Proof.
case/and5P=> lt_j ok_mu ok pos other says.
pose T := bar_T; have betaE := beta_in_shows barD (leqnn _) ok; have secondE := first_shows barD; have initE := init_shown barD.
have behindE := product_shows secondE (star_shows lt_j); have liftedE := @lifted_shown N a b c K memories initial transition emission mu j R lt_j ok_mu.
have gt0 (r r' : R) : 0 < r -> 0 < r' -> 0 < r * r' by exact: mulr_gt0.
have s0 : 0 < (of_Z (dA T) * of_Z (dW T)) ^+ size x by rewrite exprn_gt0 ?(s_gt0 barD).
have pos_R : 0 < dot (fun g => P_H (hbar m) 1 g * prompt g) (beta_of (hbar m) (word x)).
  by rewrite (shows_gt0 _ (dot_shows behindE betaE)) // !mulr_gt0 ?common_gt0 ?(dA_gt0 barD) ?(d0_gt0 barD).
have [|P_pos equal] := says (word x); first by rewrite P_hat_dot.
have firstE := dot_shows initE betaE; have scale_gt0 : 0 < of_Z (d0 T) * (of_Z (dA T) * of_Z (dW T)) ^+ size x by rewrite gt0 ?(d0_gt0 barD).
case/orP: other => [zero|/(someP (ord_numbering K))[l differ]].
  by move: P_pos; rewrite P_X_dot (shows_zero scale_gt0 firstE zero) ltxx.
apply: (@rule_posterior_moves R N.+1 M S X m K task cell l (word x) _ _ (conj P_pos (equal l))).
  by apply: lt_le_trans pos_R _; rewrite le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => g _; rewrite [P_H _ _ _ * _]mulrC.
right=> same; move: differ; cbv beta zeta; rewrite -(of_Z_eqE R) !of_ZM -firstE -(dot_shows secondE betaE).
rewrite -(dot_shows (product_shows (liftedE l) behindE) betaE) -(dot_shows (product_shows (liftedE l) initE) betaE) => /eqP; apply.
rewrite [LHS](AC (1*2*1*1*3) ((1*2*3*4*6*7)*(5*8))) [RHS](AC (1*4*3) ((2*6*1*4*3*7)*(5*8))) /=.
have onE v p : dot (fun g => v g * p g) (beta_of (hbar m) (word x)) = \sum_g v g * (p g * beta_of (hbar m) (word x) g).
  by apply: eq_bigr => g _; rewrite mulrA.
congr (_ * _); rewrite !onE -[RHS]same; congr (_ * _); apply: eq_bigr => g _; last exact: mulrA.
by rewrite [P_H _ _ _ * _]mulrC.
Qed.

Theorem fails_C_15 x : posterior_remains_z x -> ~ says_C_15 m task cell.
Proof.
case/and4P=> /andP[lt_j ok_mu] x_in zero /(someP (ord_numbering K))[l nz] says.
have possible := is_inputP barD x_in; have betaE := beta_in_shows barD (leqnn _) (is_input_word x_in).
have s0 : 0 < (of_Z (dA bar_T) * of_Z (dW bar_T)) ^+ size x by rewrite exprn_gt0 ?(s_gt0 barD).
have [||hat0] := @rule_posterior_remains R N.+1 M S X m K task cell l (word x) possible.
- have E := dot_shows (product_shows (first_shows barD) (star_shows lt_j)) betaE.
  rewrite (eq_bigr (fun g => P_H (hbar m) 1 g * prompt g * beta_of (hbar m) (word x) g)) => [|g _]; last by rewrite [prompt g * _]mulrC.
  by apply: (shows_zero _ E zero); rewrite !mulr_gt0 ?common_gt0 ?(dA_gt0 barD) ?(d0_gt0 barD).
- have E := dot_shows (task_rows_shown lt_j ok_mu l) betaE; rewrite (shows_eq0 _ E) //.
  by rewrite !mulr_gt0 ?common_gt0 ?(d0_gt0 barD).
by rewrite (says (word x) possible.2 hat0 l) eqxx.
Qed.

Theorem fails_C_10 s ts : star_duals_fail_z s ts -> ~ says_C_10 m task cell Sstar.
Proof.
move=> ok; have lt_j : (j < N.+1)%N by case/and5P: ok.
have r0 : 0 < of_Z (dA bar_T) * (of_Z (dA bar_T) * of_Z (d0 bar_T) * of_Z (common star)).
  by rewrite !mulr_gt0 ?common_gt0 ?(dA_gt0 barD) ?(d0_gt0 barD).
have := no_dualsP r0 (behind_shows barD (star_shows lt_j)) ok.
case=> I [left [right [weight [s_in zero some_v]]]] [T1 [T2 reads_T]].
apply: (rule_no_prompted_duals zero some_v); exists (T2 (inord s)) => x i le_i pos v.
have [_ _ ->] := reads_T x i le_i pos; last exact: s_in.
by congr (_ / _); apply: eq_bigl => g; rewrite readE xpair_eqE; case: (g.2 =P (cell, inord s)) => [->|]; rewrite ?andbF.
Qed.

(** ** What inputs show *)

Lemma map_word x : text_ok x -> map ix (word x) = x.
Proof. by move=> /allP ok; rewrite -map_comp -[RHS]map_id; apply/eq_in_map => z /ok; exact: itemK. Qed.

Lemma sure_inP x (i : 'I_(size (word x))) : in_R_z N a b j S' bar_T x -> (i \in Ihat m Hstar (word x)) = nth false (sure_in bar_T x) i.
Proof.
case/and3P=> lt_j /is_input_word ok _; have lt_i : (i < size x)%N by rewrite -(size_map (item ix) x) ltn_ord.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; have [r r0 lawE] := plain_law_shown (valid := valid) (R := R) i.+1 ok.
have posE g : (masked_joint (hbar m) (word x) i.+1 g != 0) = (0 <? get (memory_texts.tau_z bar_T (first_z bar_T) x i.+1) (ig g))%coqZ.
  by rewrite -(shows_gt0 r0 (lawE g)) -plain_lawE ?ltn_ord // lt0r masked_joint_ge0 andbT.
apply/IhatP/idP => [sure|/(eachP ig) sure g].
  by apply/(eachP ig) => g; rewrite -posE [(_ %% states)%N]pair_number_mod -own_zP //; apply/implyP; exact: sure.
by have := sure g; rewrite -posE [(_ %% states)%N]pair_number_mod -own_zP // => /implyP.
Qed.

Lemma law_behind_total x i : (j < N.+1)%N -> text_ok x -> (i <= size x)%N ->
  (0 < hat_masked_prob (hbar m) prompt (prompted (word x)) i.+1) = (0 <? total size_bar (law_z bar_T (integers star) x i))%coqZ.
Proof.
move=> lt_j ok le_i; have [q q0 lawE] := law_behind_shown (valid := valid) i ok (common_gt0 R star).
rewrite -(shows_gt0 q0 (shows_sum ig (lawE _ _ (star_shows lt_j)))) -sum_hat_masked_joint; congr (0 < _); apply: eq_bigr => g _.
by rewrite -message_passing_hat ?size_map // law_behindE // size_map.
Qed.

(** The output at a row. *)
Notation out_row v z := (of_Z (get v (ix z)) / of_Z (total c.+1 v)).

Lemma plain_rowE x i z : text_ok x -> (i < size x)%N -> G (hbar m) (word x) i.+1 z = out_row (nth [::] (plain_rows bar_T x) i) z.
Proof.
move=> ok lt_i; have [r r0 lawE] := plain_law_shown (valid := valid) (R := R) i.+1 ok.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n; have [E _] := rule_outputs m (fun=> 0) (word x) i.+1 z; rewrite E ?size_map //.
by rewrite -[RHS](quotientE barD z r0 lawE).
Qed.

Lemma row_behindE x i z : (j < N.+1)%N -> text_ok x -> (i < (size x).+1)%N ->
  prompted_output m prompt (word x) i.+1 z = out_row (nth [::] (rows_behind bar_T (integers star) x) i) z.
Proof.
move=> lt_j ok lt_i; have [q q0 lawE] := law_behind_shown (valid := valid) i ok (common_gt0 R star).
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n -[RHS](quotientE barD z q0 (lawE _ _ (star_shows lt_j))).
rewrite /prompted_output; have [_ ->] := rule_outputs m prompt (word x) i.+1 z; rewrite ?size_map // => g; exact: ler0n.
Qed.

Lemma scores_inE x : (j < N.+1)%N -> rows_ok K mu_z -> in_R_z N a b j S' bar_T x ->
  exists2 r : R, 0 < r & forall l : 'I_K.+1, r * dot (task l) (memory_posterior m cell (word x)) = of_Z (get (scores_in bar_T x) l).
Proof.
move=> lt_j ok_mu /and3P[_ x_in _]; have [_ P_pos] := is_inputP barD x_in.
have betaE := beta_in_shows barD (leqnn _) (is_input_word x_in); pose s := (of_Z (dA bar_T) * of_Z (dW bar_T)) ^+ size x.
exists (of_Z (common (flatten mu)) * of_Z (d0 bar_T) * s * P_X (hbar m) (word x)) => [|l].
  by rewrite !mulr_gt0 ?common_gt0 ?exprn_gt0 ?(s_gt0 barD) ?(d0_gt0 barD).
rewrite [get _ _](get_vec (ord_numbering K)) -(dot_shows (task_rows_shown lt_j ok_mu l) betaE) -mulrA; congr (_ * _).
rewrite (dot_posterior m (task l) cell (leq0n _)) mulrC divfK ?gt_eqF //; apply: eq_bigr => g _.
by rewrite joint0 mulrA.
Qed.

Lemma input_text inputs x : all_in_R bar_T inputs -> x \in inputs -> [/\ in_R_z N a b j S' bar_T x, text_ok x & in_R m Hstar (word x)].
Proof. by move=> /allP all_R /all_R x_in; split; [|case/and3P: x_in => _ /is_input_word|exact: in_R_zP]. Qed.

Theorem fails_C_2 inputs ts : no_keys_z inputs ts -> ~ says_C_2 m K cell Sstar.
Proof.
case/andP=> inputs_R; rewrite /cancels_z; set masks := tabulate _ _; set rows := tabulate _ _ => ok.
have maskE x : x \in inputs -> [/\ in_R m Hstar (word x), size (look [::] masks x) = size (word x) &
    forall i : 'I_(size (word x)), (i \in Ihat m Hstar (word x)) = nth false (look [::] masks x) i].
  move=> x_in; have [x_R _ x_good] := input_text inputs_R x_in; rewrite look_tabulate //.
  by split=> [||i]; [| rewrite !size_map size_iota | exact: sure_inP].
have rowE x i z : x \in inputs -> (i < size (look [::] masks x))%N -> G (hbar m) (word x) i.+1 z = out_row (row_of rows x i) z.
  move=> x_in; have [_ x_ok _] := input_text inputs_R x_in; rewrite look_tabulate // size_map size_iota => lt_i.
  by rewrite /row_of look_tabulate //; exact: plain_rowE.
have [here [there [refuted _ _]]] := keysP maskE rowE ok.
exact: rule_no_keys refuted.
Qed.

Lemma no_prompted_keys_ok (more : nat) inputs ts : (more <= 1)%N && no_prompted_keys_z more inputs ts ->
  ~ attends_to m task cell Sstar more (fun x => [set lift ord0 i | i in Ihat m Hstar x]).
Proof.
case/and3P=> le_more lt_j; rewrite /no_prompted_keys_in; set masks := tabulate _ _; set rows := tabulate _ _.
case/and4P=> inputs_R /allP lawful ok balanced.
have maskE x : x \in inputs -> [/\ in_R m Hstar (word x) /\ (forall i, (1 <= i <= size (word x) + more)%N ->
      0 < hat_masked_prob (hbar m) prompt (prompted (word x)) i), size (look [::] masks x) = (size (word x)).+1 &
    forall i : 'I_(size (word x)).+1, (i \in [set lift ord0 i | i in Ihat m Hstar (word x)]) = nth false (look [::] masks x) i].
  move=> x_in; have [x_R x_ok x_good] := input_text inputs_R x_in; rewrite look_tabulate //; split=> [||i].
  - split=> // -[//|i]; rewrite size_map => lt_i; rewrite law_behind_total //; last by rewrite -ltnS (leq_trans lt_i) // -addn1 leq_add2l.
    by apply: (allP (lawful x x_in)); rewrite mem_iota.
  - by rewrite /= !size_map size_iota.
  case: (unliftP ord0 i) => [i' ->|->]; last by apply/negbTE/negP => /imsetP[].
  rewrite mem_imset; last exact: lift_inj.
  by rewrite sure_inP.
have rowE x i z : x \in inputs -> (i < size (look [::] masks x))%N ->
    prompted_output m prompt (word x) i.+1 z = out_row (row_of rows x i) z.
  move=> x_in; have [_ x_ok _] := input_text inputs_R x_in; rewrite look_tabulate //= size_map size_iota => lt_i.
  by rewrite /row_of look_tabulate //; exact: row_behindE.
have [here [there [refuted hereE thereE]]] := keysP (len := fun x => (size x).+1)
  (wanted := fun x => [set lift ord0 i | i in Ihat m Hstar x]) (good := fun x => in_R m Hstar x /\
  (forall i, (1 <= i <= size x + more)%N -> 0 < hat_masked_prob (hbar m) prompt (prompted x) i)) maskE rowE ok.
case=> a' says; apply: (rule_no_prompted_keys refuted) => [p|]; last by exists a' => x [x_R lawful_x]; exact: says.
under eq_bigl do rewrite hereE; under [RHS]eq_bigl do rewrite thereE.
have := balancedP R balanced p; rewrite !(big_nth (0, 0, 0, 0%coqZ)%N) !big_mkord; exact.
Qed.

Theorem fails_C_9 inputs ts : no_prompted_keys_z 0 inputs ts -> ~ says_C_9 m task cell Sstar.
Proof. exact: (@no_prompted_keys_ok 0 inputs ts). Qed.
Theorem fails_C_9_all_positions inputs ts : no_prompted_keys_z 1 inputs ts -> ~ says_C_9_all_positions m task cell Sstar.
Proof. exact: (@no_prompted_keys_ok 1 inputs ts). Qed.

(** Values, where the outputs are those of the positions from [first] on. *)
Lemma no_values_ok outs first inputs ts (possible : forall x : seq X, 'I_(size x) -> Prop) (out : forall x : seq X, 'I_(size x) -> X -> R) :
  (j < N.+1)%N -> no_values_in bar_T inputs outs first ts ->
  (forall x (i : 'I_(size (word x))) z, text_ok x -> out _ i z = out_row (nth [::] (outs x) (i + first)) z) ->
  (forall x (i : 'I_(size x)), (exists z, out _ i z != 0) -> possible _ i) ->
  exists (T : finType) (text : T -> seq X) (place : forall t, 'I_(size (text t))) y, no_values m task cell Hstar possible place y out.
Proof.
move=> lt_j; rewrite /no_values_in; set masks := tabulate _ _; set rows := tabulate _ _; set scores := tabulate _ _.
case/and3P=> ok_mu inputs_R ok outE possibleE.
have inputE x : x \in inputs -> [/\ map ix (word x) = x, in_R m Hstar (word x), size (look [::] masks x) = size x,
    forall i : 'I_(size (word x)), (i \in Ihat m Hstar (word x)) = nth false (look [::] masks x) i &
    exists2 r : R, 0 < r & forall l : 'I_K.+1, r * dot (task l) (memory_posterior m cell (word x)) = of_Z (get (look [::] scores x) l)].
  move=> x_in; have [x_R x_ok x_good] := input_text inputs_R x_in; rewrite !look_tabulate //.
  by split=> [|||i|]; [exact: map_word | | rewrite size_map size_iota | exact: sure_inP | exact: scores_inE].
have rowE x (i : 'I_(size (word x))) z : x \in inputs -> out _ i z = out_row (row_of rows x (i + first)) z.
  by move=> x_in; have [_ x_ok _] := input_text inputs_R x_in; rewrite /row_of look_tabulate //; exact: outE.
have [place refuted] := valuesP inputE rowE possibleE ok.
by exists (ordinal_finType (size ts)); eexists; exists place; eexists; exact: refuted.
Qed.

Theorem fails_C_4 inputs ts : no_values_z inputs ts -> ~ says_C_4 m task cell Sstar.
Proof.
case/andP=> lt_j ok [a' [e says]].
have [|//|T [text [place [y refuted]]]] := no_values_ok (possible := fun _ _ => True) (out := fun x i => G (hbar m) x i.+1) lt_j ok.
  by move=> x i z x_ok; rewrite addn0; apply: plain_rowE; rewrite // -(size_map (item ix) x) ltn_ord.
by have [_ none] := rule_no_values refuted; apply: (none a' e) => x i x_R i_in _; exact: says.
Qed.

Theorem fails_C_13 inputs ts : no_prompted_values_z inputs ts -> ~ says_C_13 m task cell Sstar.
Proof.
case/andP=> lt_j ok [a' says].
have [|//|T [text [place [y refuted]]]] := no_values_ok (possible := fun x i => exists z, prompted_output m prompt x i.+2 z != 0)
  (out := fun x i => prompted_output m prompt x i.+2) lt_j ok.
  by move=> x i z x_ok; rewrite addn1; apply: row_behindE; rewrite // ltnS -(size_map (item ix) x) ltn_ord.
have [_ none] := rule_no_prompted_values refuted; apply: (none a') => x i x_R i_in pos.
by have [right _] := says x; exact: right.
Qed.

End Failures.
