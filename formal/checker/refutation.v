(** What decides that no head computes F* (docs/certificate-format.md, section 6): multipliers of inputs, and a tree of
    regions of prompts and heads. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths
  proofs.refutations_numbers proofs.rules_agreement proofs.rules_refutation checker.tables checker.models
  checker.agreement.

(** ** Constraints, and what they combine to *)

(** A constraint is a text, its label, a rival and t. *)
Definition constraint_z : Type := seq nat * nat * nat * Z.

Definition combine (phi : seq nat -> Z) (cs : seq constraint_z) (l : nat) : Z :=
  foldr (fun '(x, label, rival, t) s =>
    (t * (if l == label then phi x else 0) - t * (if l == rival then phi x else 0) + s)%coqZ) 0%coqZ cs.

Definition texts (cs : seq constraint_z) : seq (seq nat) := [seq c.1.1.1 | c <- cs].

Section Constraints.

Variables (R : realFieldType) (X : finType) (k K : nat) (ix : numbering X k).
Variables (F : seq X -> 'I_K.+1) (good : seq X -> Prop) (good_z : seq nat -> nat -> bool).
Notation of_Z := (of_Z R).
Notation word := (word ix).

(** [good_z x l] says that x is good and has the label l. *)
Definition constraints_z (cs : seq constraint_z) : bool :=
  all (fun '(x, label, rival, t) => [&& good_z x label, (label < K.+1)%N, (rival < K.+1)%N, rival != label & (0 <? t)%coqZ]) cs &&
  has (fun '(x, label, rival, t) => (label < rival)%N) cs.

Hypothesis goodP : forall x l, (l < K.+1)%N -> good_z x l -> good (word x) /\ F (word x) = inord l.

Definition real_constraint (c : constraint_z) : constraint R X K :=
  let: (x, _, rival, t) := c in (word x, inord rival, of_Z t).
Notation real := (map real_constraint).

Lemma constraints_zP cs : constraints_z cs -> constraints F good (real cs).
Proof.
case/andP=> ok some_strict; split=> [c|].
  elim: cs ok {some_strict} => //= -[[[x l] v] t] cs IH /andP[/and5P[x_good lt_l lt_v neq t0] /IH{}IH].
  rewrite inE => /orP[/eqP->|/IH//]; have [x_ok Fx] := goodP lt_l x_good.
  split=> //; last by rewrite /weight /= -of_Z0 of_Z_lt.
  by rewrite /rival /at_input /= Fx -val_eqE /= !inordK.
elim: cs ok some_strict => //= -[[[x l] v] t] cs IH /andP[/and5P[x_good lt_l lt_v _ _] /IH{}IH] /orP[lt_lv|/IH->].
  by apply/orP; left; rewrite /strict /rival /at_input /= (goodP lt_l x_good).2 !inordK.
by rewrite orbT.
Qed.

Lemma combine_shows r phi phi_z cs (l : 'I_K.+1) : constraints_z cs ->
  (forall x l', (l' < K.+1)%N -> x \in texts cs -> good_z x l' -> r * phi (word x) = of_Z (phi_z x)) ->
  r * combination F phi (real cs) l = of_Z (combine phi_z cs (val l)).
Proof.
case/andP=> ok _; rewrite /combination big_map.
elim: cs ok => [|[[[x l'] v] t] cs IH] /=; first by rewrite big_nil mulr0.
case/andP=> /and5P[x_good lt_l lt_v _ _] ok phiE.
rewrite big_cons mulrDr IH // => [|y l'' lt_l'' y_in]; last by apply: phiE; rewrite // inE y_in orbT.
rewrite of_ZD of_ZB !of_ZM !of_Z_if of_Z0; congr (_ + _).
have Fx : F (word x) = inord l' := (goodP lt_l x_good).2.
have phix : r * phi (word x) = of_Z (phi_z x) by apply: (phiE x l'); rewrite ?inE ?eqxx.
rewrite /weight /at_input /rival /= Fx -phix mulrCA mulrBr -mulrA -!val_eqE /= !inordK //.
rewrite -[RHS]mulrBr mulrBr; congr (_ * (_ - _)).
  by case: ifP => _; rewrite ?mulr1 ?mulr0 // mulrC.
by case: ifP => _; rewrite ?mulr1 ?mulr0 // mulrC.
Qed.

End Constraints.

(** ** Heads of 3.3 *)

Section Decided.

Variables (T : tables) (K : nat) (mu : seq (seq Z)).
Notation n := (n T).

(** Constraints as a certificate has them, without the labels, which are computed. *)
Definition multipliers : Type := seq (seq nat * nat * Z).
Definition labelled (cs : multipliers) : seq constraint_z :=
  [seq (c.1.1, label_z T K (task_z T mu) c.1.1, c.1.2, c.2) | c <- cs].

Definition longest (xs : seq (seq nat)) : nat := foldr maxn 0%N (map size xs).
Definition good_z (x : seq nat) (l : nat) : bool := labelled_z T K mu x l.

(** Each text with a table of it, computed once. *)
Definition look (V : Type) (d : V) (s : seq (seq nat * V)) (x : seq nat) : V :=
  nth d (map snd s) (index x (map fst s)).
Definition tabulate (V : Type) (f : seq nat -> V) (xs : seq (seq nat)) : seq (seq nat * V) := [seq (x, f x) | x <- xs].

Lemma look_tabulate (V : Type) (d : V) f xs x : x \in xs -> look d (tabulate f xs) x = f x.
Proof.
move=> x_in; rewrite /look /tabulate -!map_comp [map (fst \o _) _]map_id.
by rewrite (nth_map [::]) ?index_mem // nth_index.
Qed.

Definition phi_3_3_z (L : nat) (x : seq nat) : seq Z :=
  let beta := beta_in T L x in vec (c T) (W_times T (vec n (fun h => get (first_z T) h * get beta h)%coqZ)).
Definition motzkin_z (cs : multipliers) : bool :=
  let cs := labelled cs in let s := tabulate (phi_3_3_z (longest (texts cs))) (texts cs) in
  constraints_z K good_z cs &&
  each K.+1 (fun l => each (c T) (fun z => combine (fun x => get (look [::] s x) z) cs l =? 0)%coqZ).

(** ** Heads of 3.6 *)

Inductive region_tree_z :=
  | SignZ of nat & nat & region_tree_z & region_tree_z
  | HalveZ of nat & Q & region_tree_z & region_tree_z
  | MotzkinZ of multipliers & seq (nat * nat * seq Z).

Inductive root_z := PlainZ of region_tree_z | LargestZ of seq region_tree_z & seq nat.

Record region_z := RegionZ { low_z : nat -> Q; high_z : nat -> Q; plus_z : nat -> nat -> bool; minus_z : nat -> nat -> bool }.

Definition put (V : Type) (f : nat -> V) (i : nat) (v : V) : nat -> V := fun k => if k == i then v else f k.
Definition put2 (V : Type) (f : nat -> nat -> V) l h (v : V) : nat -> nat -> V := put f l (put (f l) h v).

Definition phi_3_6_z (L : nat) (x : seq nat) : seq (seq Z) :=
  let beta := beta_in T L x in
  [seq vec n (fun f => get (first_z T) f * sum n (fun h => get2 (W T) z h * (get2 (A T) h f * get beta h)))%coqZ | z <- iota 0 (c T)].

Definition part (ps : seq (nat * nat * seq Z)) (l h : nat) : seq Z :=
  foldr (fun '(l', h', v) s => if (l' == l) && (h' == h) then v else s) [::] ps.
Definition Qmax (x y : Q) : Q := if Qle_bool x y then y else x.
(** The largest value of s v'u in a region is <= 0. *)
Definition bounded (s : Z) (v : seq Z) (g : region_z) : bool :=
  Qle_bool (Qsum (iota 0 n) (fun f => let w := (s * get v f # 1) in Qmax (w * low_z g f) (w * high_z g f))%coqQ) 0.

Definition leaf_z (g : region_z) (cs : multipliers) (ps : seq (nat * nat * seq Z)) : bool :=
  let cs := labelled cs in let s := tabulate (phi_3_6_z (longest (texts cs))) (texts cs) in
  let T_lzf l z f := combine (fun x => get2 (look [::] s x) z f) cs l in
  let S_lzf l z f := sum n (fun h => get2 (W T) z h * get (part ps l h) f)%coqZ in
  [&& constraints_z K good_z cs,
      proportional [seq (S_lzf l.+1 zf.1 zf.2, T_lzf l.+1 zf.1 zf.2) | l <- iota 0 K, zf <- [seq (z, f) | z <- iota 0 (c T), f <- iota 0 n]],
      each K.+1 (fun l => (l == 0)%N || each n (fun h => plus_z g l h ==> bounded 1 (part ps l h) g)) &
      each K.+1 (fun l => (l == 0)%N || each n (fun h => minus_z g l h ==> bounded (-1) (part ps l h) g))].

Fixpoint refutes_z (g : region_z) (t : region_tree_z) : bool :=
  let: RegionZ lo hi plus minus := g in
  match t with
  | SignZ l h t1 t2 =>
      [&& (l < K.+1)%N, (h < n)%N, plus l h, minus l h, refutes_z (RegionZ lo hi plus (put2 minus l h false)) t1 &
          refutes_z (RegionZ lo hi (put2 plus l h false) minus) t2]
  | HalveZ f c t1 t2 =>
      [&& (f < n)%N, ~~ Qle_bool c (lo f), ~~ Qle_bool (hi f) c, refutes_z (RegionZ lo (put hi f c) plus minus) t1 &
          refutes_z (RegionZ (put lo f c) hi plus minus) t2]
  | MotzkinZ cs ps => leaf_z g cs ps
  end.

Definition whole_z (top : option nat) : region_z :=
  RegionZ (fun f => if top == Some f then 1%coqQ else 0%coqQ) (fun=> 1%coqQ) (fun _ _ => true) (fun _ _ => true).

Definition no_prompted_head_z (t : root_z) : bool :=
  match t with
  | PlainZ t => refutes_z (whole_z None) t
  | LargestZ ts x =>
      let l := label_z T K (task_z T mu) x in
      [&& each n (fun f => refutes_z (whole_z (Some f)) (nth (MotzkinZ [::] [::]) ts f)), good_z x l & (l < K)%N]
  end.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Variables (rmu : R) (mu' : 'I_K.+1 -> H -> R) (rmu0 : 0 < rmu) (muE : show ih rmu mu' mu).
Notation of_Z := (of_Z R).
Notation of_Q := (of_Q R).

Let scale := of_Z (dA T) * of_Z (dW T).
Let scale_gt0 : 0 < scale := s_gt0 D.

Lemma good_zP x l : (l < K.+1)%N -> good_z x l -> is_input m (word ix x) /\ F_star m mu' (word ix x) = inord l.
Proof. by move=> _; exact: (labelled_ok D rmu0 muE). Qed.

Lemma good_word x l : good_z x l -> all (fun z => (z < c T)%N) x. Proof. by case/and3P=> _ /is_input_word. Qed.

Lemma longest_size xs x : x \in xs -> (size x <= longest xs)%N.
Proof.
rewrite /longest; elim: xs => //= y s IH; rewrite inE leq_max => /orP[/eqP->|/IH->]; by rewrite ?leqnn ?orbT.
Qed.

Theorem motzkin_ok cs : motzkin_z cs ->
  forall (b : 'I_K.+1 -> X -> R) (E : X), exists2 x, is_input m x & F_star m mu' x <> linear_head b (G m (E :: x) 1).
Proof.
rewrite /motzkin_z; set cs' := labelled cs; case/andP=> ok /(eachP (ord_numbering K)) zero.
apply: (rule_motzkin (constraints_zP R good_zP ok)) => l z.
pose r := of_Z (dW T) * (of_Z (dA T) * of_Z (d0 T) * scale ^+ longest (texts cs')).
have r0 : 0 < r by rewrite !mulr_gt0 ?exprn_gt0 ?scale_gt0 ?(dA_gt0 D) ?(dW_gt0 D) ?(d0_gt0 D).
apply: (shows_zero r0 (combine_shows good_zP l ok _) (eachP ix _ (zero l) z)) => x l' _ x_in x_good; rewrite look_tabulate // get_vec; apply: (W_times_shows D) => h; rewrite get_vec.
by apply: shows_M; [exact: (first_shows D) | apply: (beta_in_shows D (longest_size x_in)); exact: good_word x_good].
Qed.

Lemma Qmax_of_Q a b : of_Q (Qmax a b) = Num.max (of_Q a) (of_Q b).
Proof. by rewrite /Qmax -(of_Q_le R) /Num.max; case: ltgtP => // ->. Qed.

Lemma boundedP (s : Z) v (g : region R H K) gz k (w : H -> R) : 0 < k ->
  (forall f, w f = k * of_Z (s * get v (ih f))%coqZ) ->
  (forall h, low g h = of_Q (low_z gz (ih h))) -> (forall h, high g h = of_Q (high_z gz (ih h))) ->
  bounded s v gz -> \sum_f Num.max (w f * low g f) (w f * high g f) <= 0.
Proof.
move=> k0 wE lowE highE; rewrite /bounded -(of_Q_le R) of_Q0 => le0; rewrite -(pmulr_rle0 _ k0) in le0.
apply: le_trans le0; rewrite -(@of_Qsum _ _ ih _ (fun f => k^-1 * Num.max (w f * low g f) (w f * high g f))) => [|f].
  by rewrite -mulr_sumr mulrA divff ?mul1r // lt0r_neq0.
rewrite Qmax_of_Q !of_QM -lowE -highE -of_Z_of_Q maxr_pmulr ?invr_ge0 ?ltW // !mulrA.
by rewrite wE mulKf // lt0r_neq0.
Qed.

(** A leaf: the parts times one number are those of the rule. *)
Lemma leaf_zP (g : region R H K) (gz : region_z) cs ps :
  (forall h, low g h = of_Q (low_z gz (ih h))) -> (forall h, high g h = of_Q (high_z gz (ih h))) ->
  (forall l h, plus g l h = plus_z gz (val l) (ih h)) -> (forall l h, minus g l h = minus_z gz (val l) (ih h)) ->
  leaf_z gz cs ps -> exists cs' parts, motzkin m mu' g cs' parts.
Proof.
move=> lowE highE plusE minusE; rewrite /leaf_z; set cs' := labelled cs.
case/and4P=> ok /(@proportionalP R)[q q0]; rewrite all_pairs => /allP eq_T pluses minuses.
pose r := of_Z (dA T) * of_Z (d0 T) * (of_Z (dW T) * (of_Z (dA T) * scale ^+ longest (texts cs'))).
have r0 : 0 < r by rewrite !mulr_gt0 ?exprn_gt0 ?scale_gt0 ?(dA_gt0 D) ?(dW_gt0 D) ?(d0_gt0 D).
pose k := q * of_Z (dW T) / r; have k0 : 0 < k by apply: divr_gt0 r0; exact: mulr_gt0 (dW_gt0 D).
pose S (l : 'I_K.+1) h f := k * of_Z (get (part ps (val l) (ih h)) (ih f)).
exists (map (real_constraint R K ix) cs'), S; split; first exact: (constraints_zP R good_zP ok).
- move=> l z f l0; have l_gt0 : (0 < val l)%N by rewrite lt0n.
  have lt_K : ((val l).-1 < K)%N by rewrite -ltnS prednK // ltn_ord.
  have := eq_T (val l).-1; rewrite mem_iota add0n lt_K prednK // => /(_ isT).
  rewrite all_pairs => /(eachP ix)/(_ z)/(eachP ih)/(_ f)/eqP /= TE.
  apply: (mulfI (lt0r_neq0 r0)); apply: (etrans (etrans (combine_shows good_zP l ok _) TE)) => [x l' _ x_in x_good|].
    rewrite look_tabulate // /get2 nth_table get_vec; apply: shows_M; first exact: (first_shows D).
    apply: (shows_sum ih) => h; rewrite -[emit m z h * _ * _]mulrA; apply: shows_M; first exact: (emit_shown D).
    apply: shows_M; first exact: (trans_shown D).
    by apply: (beta_in_shows D (longest_size x_in)); exact: good_word x_good.
  rewrite (of_sum ih) !mulr_sumr; apply: eq_bigr => h _; rewrite of_ZM -(emit_shown D) /S /k.
  rewrite [RHS]mulrCA [r * (_ * _)]mulrA [r * (_ / _)]mulrC divfK ?lt0r_neq0 //.
  by rewrite -!mulrA [RHS]mulrCA; congr (_ * _); exact: mulrCA.
- move=> l h l0 pos; apply: (boundedP (s := 1) (v := part ps (val l) (ih h)) k0) lowE highE _ => [f|].
    by rewrite Z.mul_1_l.
  have := eachP (ord_numbering K) _ pluses l; rewrite -[ord_numbering K l == 0%N]/(l == ord0) (negbTE l0) /=.
  by move=> /(eachP ih)/(_ h)/implyP; rewrite -plusE; apply.
move=> l h l0 pos; apply: (boundedP (s := -1) (v := part ps (val l) (ih h)) k0) lowE highE _ => [f|].
  by rewrite -mulrN -of_ZN; congr (_ * of_Z _); case: (get _ _).
have := eachP (ord_numbering K) _ minuses l; rewrite -[ord_numbering K l == 0%N]/(l == ord0) (negbTE l0) /=.
by move=> /(eachP ih)/(_ h)/implyP; rewrite -minusE; apply.
Qed.

Lemma set_at_put (F : H -> R) lo f v : (f < n)%N -> (forall h, F h = of_Q (lo (ih h))) ->
  forall h, set_at F (item ih f) (of_Q v) h = of_Q (put lo f v (ih h)).
Proof. by move=> lt FE h; rewrite /set_at /put -(inj_eq (can_inj (numberK ih))) itemK //; case: eqP. Qed.

Lemma set_at2_put (F : 'I_K.+1 -> H -> bool) P l h v : (l < K.+1)%N -> (h < n)%N ->
  (forall k g, F k g = P (val k) (ih g)) ->
  forall k g, set_at2 F (inord l) (item ih h) v k g = put2 P l h v (val k) (ih g).
Proof.
move=> lt_l lt_h FE k g; rewrite /set_at2 {1}/set_at /put2 {1}/put.
rewrite (_ : (k == inord l) = (val k == l)); last by rewrite -val_eqE /= inordK.
case: eqP => _; last exact: FE.
by rewrite /set_at /put -(inj_eq (can_inj (numberK ih))) itemK // FE /= inordK.
Qed.

Lemma refutes_zP t (g : region R H K) gz :
  (forall h, low g h = of_Q (low_z gz (ih h))) -> (forall h, high g h = of_Q (high_z gz (ih h))) ->
  (forall l h, plus g l h = plus_z gz (val l) (ih h)) -> (forall l h, minus g l h = minus_z gz (val l) (ih h)) ->
  refutes_z gz t -> exists t', refutes m mu' g t'.
Proof.
elim: t g gz => [l h t1 IH1 t2 IH2|f v t1 IH1 t2 IH2|cs ps] g [lo hi P N] lowE highE plusE minusE.
- case/and5P=> lt_l lt_h Plh Nlh /andP[/IH1 ref1 /IH2 ref2].
  have [||||t1' ok1] := ref1 (Region (low g) (high g) (plus g) (set_at2 (minus g) (inord l) (item ih h) false)) => //.
    by exact: set_at2_put lt_l lt_h minusE.
  have [||||t2' ok2] := ref2 (Region (low g) (high g) (set_at2 (plus g) (inord l) (item ih h) false) (minus g)) => //.
    by exact: set_at2_put lt_l lt_h plusE.
  by exists (Sign (inord l) (item ih h) t1' t2'); split=> //; rewrite plusE minusE /= inordK // itemK // Plh.
- case/and5P=> lt_f lo_v v_hi /IH1 ref1 /IH2 ref2.
  have [||||t1' ok1] := ref1 (Region (low g) (set_at (high g) (item ih f) (of_Q v)) (plus g) (minus g)) => //.
    exact: set_at_put.
  have [||||t2' ok2] := ref2 (Region (set_at (low g) (item ih f) (of_Q v)) (high g) (plus g) (minus g)) => //.
    exact: set_at_put.
  by exists (Halve (item ih f) (of_Q v) t1' t2'); split=> //; rewrite lowE highE !of_Q_lt /= itemK // lo_v.
by move=> /(leaf_zP lowE highE plusE minusE)[cs' [parts ok]]; exists (Motzkin cs' parts).
Qed.

Lemma whole_zP top t : refutes_z (whole_z (omap ih top)) t -> exists t', refutes m mu' (whole R K top) t'.
Proof.
apply: refutes_zP => [h|h|//|//]; rewrite /= ?of_Q1 //.
case: top => [f|]; rewrite ?of_Q0 //= [Some f == _](inj_eq (@Some_inj _)) [Some _ == _](inj_eq (@Some_inj _)).
by rewrite (inj_eq (can_inj (numberK ih))); case: eqP; rewrite ?of_Q1 ?of_Q0.
Qed.

Theorem no_prompted_head_ok t : no_prompted_head_z t ->
  forall (u : letter R H) (b : 'I_K.+1 -> X -> R) (E : X), is_prompt u ->
  exists2 x, is_input m x & F_star m mu' x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2).
Proof.
case: t => [t /(@whole_zP None)[t' ok]|ts x]; first exact: rule_region ok.
case/and3P; set l := label_z _ _ _ _ => /(eachP ih) each_f x_good lt_l.
have : forall f, exists t', refutes m mu' (whole R K (Some f)) t' by move=> f; exact: (@whole_zP (Some f)) (each_f f).
case/fin_all_exists=> t' ok; have [x_in Fx] := good_zP (ltnW lt_l) x_good.
by apply: (rule_largest ok x_in); rewrite Fx -val_eqE /= inordK ?neq_ltn ?lt_l //; exact: ltnW.
Qed.

End Decided.
