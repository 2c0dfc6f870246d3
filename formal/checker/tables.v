(** Tables of integers, over a common denominator, for functions from finite sets into a real field: what a checker
    computes, and what that says of the functions. Members of a set are numbered from 0. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths proofs.refutations_numbers.
From Headproof Require Export definitions.memory_tables.

Arguments of_Z : simpl never.
Arguments of_Q : simpl never.
Arguments Qred : simpl never.

(** ** Vectors, sums, the label of scores *)

Definition get (v : seq Z) (i : nat) : Z := nth 0%coqZ v i.
Definition get2 (M : seq (seq Z)) (i j : nat) : Z := get (nth [::] M i) j.
Definition vec n (F : nat -> Z) : seq Z := [seq F i | i <- iota 0 n].
Definition sum n (F : nat -> Z) : Z := foldr (fun i s => (F i + s)%coqZ) 0%coqZ (iota 0 n).
Definition some n (P : pred nat) : bool := has P (iota 0 n).
Definition total n (v : seq Z) : Z := sum n (get v).

Definition wins K (s : nat -> Z) (l : nat) : bool :=
  each K.+1 (fun k => (s k <? s l)%coqZ || (s k =? s l)%coqZ && (k <= l)%N).
Definition label_of K (s : nat -> Z) : nat := find (wins K s) (iota 0 K.+1).

(** ** Numbered sets *)

Section Numbering.

Variables (T : finType) (n : nat) (i : numbering T n).

Lemma someP (P : pred nat) : reflect (exists t, P (i t)) (some n P).
Proof.
rewrite /some -(perm_has P (numbers i)) has_map.
by apply: (iffP hasP) => [[t]|[t ok]]; exists t; rewrite ?mem_index_enum.
Qed.

Lemma itemK k : (k < n)%N -> i (item i k) = k.
Proof.
move=> lt_kn; have : k \in iota 0 n by rewrite mem_iota.
by rewrite -(perm_mem (numbers i)) => /mapP[t _ ->]; rewrite numberK.
Qed.

Lemma get_vec F t : get (vec n F) (i t) = F (i t).
Proof. by rewrite /get /vec (nth_map 0%N) ?nth_iota ?size_iota ?number_lt. Qed.

Lemma nth_table (V : Type) (x : V) (F : nat -> V) t : nth x [seq F j | j <- iota 0 n] (i t) = F (i t).
Proof. by rewrite (nth_map 0%N) ?nth_iota ?size_iota ?number_lt. Qed.

Variable R : realFieldType.
Notation of_Z := (of_Z R).

Lemma of_sum F : of_Z (sum n F) = \sum_t of_Z (F (i t)).
Proof.
rewrite -(big_map i xpredT (fun j => of_Z (F j))) (perm_big _ (numbers i)) /sum.
by elim: (iota 0 n) => [|j s IH]; rewrite ?big_nil //= big_cons -IH of_ZD.
Qed.

End Numbering.

(** The text of a list of numbers. *)
Definition word (X : finType) k (i : numbering X k) (x : seq nat) : seq X := map (item i) x.

(** ** Numbers that are integers, times a factor > 0 *)

Section Signs.

Variable R : realFieldType.
Notation of_Z := (of_Z R).

Lemma of_Z_of_Q z : of_Z z = of_Q R (z # 1). Proof. by rewrite /of_Q -[of_Z 1]/(1 : R) divr1. Qed.
Lemma of_Z_le x y : (of_Z x <= of_Z y) = (x <=? y)%coqZ.
Proof. by rewrite !of_Z_of_Q of_Q_le /Qle_bool /= !Z.mul_1_r. Qed.
Lemma of_Z_lt x y : (of_Z x < of_Z y) = (x <? y)%coqZ. Proof. by rewrite ltNge of_Z_le Z.leb_antisym negbK. Qed.
Lemma of_Z_eqE x y : (of_Z x == of_Z y) = (x =? y)%coqZ.
Proof. by rewrite !of_Z_of_Q of_Q_eqE /Qeq_bool /= /Zeq_bool !Z.mul_1_r Z.eqb_compare. Qed.
Lemma of_ZB x y : of_Z (x - y)%coqZ = of_Z x - of_Z y. Proof. exact: (morph_sub (of_Z_morph R)). Qed.
Lemma of_Z_if (b : bool) x y : of_Z (if b then x else y) = if b then of_Z x else of_Z y. Proof. by case: b. Qed.
Lemma of_Z_abs z : of_Z (Z.abs z) = `|of_Z z|.
Proof.
have pos p : `|of_Z (Zpos p)| = of_Z (Zpos p) by rewrite gtr0_norm // of_Z_gt0.
case: z => [|p|p]; [by rewrite normr0 | exact: esym (pos p) |].
by rewrite -Pos2Z.opp_pos Z.abs_opp of_ZN normrN pos.
Qed.
Lemma of_Z_pow x k : of_Z (x ^ Z.of_nat k)%coqZ = of_Z x ^+ k.
Proof.
elim: k => [|k IH]; first exact/esym/expr0.
by rewrite Nat2Z.inj_succ Z.pow_succ_r ?of_ZM ?IH ?exprS //; exact: Nat2Z.is_nonneg.
Qed.
Definition of_Z0 : of_Z 0 = 0 := erefl.

Variables (r : R) (r0 : 0 < r).
Implicit Types (x y : R) (a b : Z).

Lemma shows_lt x y a b : r * x = of_Z a -> r * y = of_Z b -> (x < y) = (a <? b)%coqZ.
Proof. by move=> xa yb; rewrite -of_Z_lt -xa -yb ltr_pmul2l. Qed.
Lemma shows_le x y a b : r * x = of_Z a -> r * y = of_Z b -> (x <= y) = (a <=? b)%coqZ.
Proof. by move=> xa yb; rewrite -of_Z_le -xa -yb ler_pmul2l. Qed.
Lemma shows_eq x y a b : r * x = of_Z a -> r * y = of_Z b -> (x == y) = (a =? b)%coqZ.
Proof. by move=> xa yb; rewrite -of_Z_eqE -xa -yb (inj_eq (mulfI (lt0r_neq0 r0))). Qed.
Lemma shows0 : r * 0 = of_Z 0. Proof. exact: mulr0. Qed.
Lemma shows_gt0 x a : r * x = of_Z a -> (0 < x) = (0 <? a)%coqZ. Proof. exact: shows_lt shows0. Qed.
Lemma shows_eq0 x a : r * x = of_Z a -> (x == 0) = (a =? 0)%coqZ. Proof. by move/shows_eq; apply; exact: shows0. Qed.
Lemma shows_zero x a : r * x = of_Z a -> (a =? 0)%coqZ -> x = 0.
Proof. by move=> /shows_eq0 E a0; apply/eqP; rewrite E. Qed.
Lemma shows_B x y a b : r * x = of_Z a -> r * y = of_Z b -> r * (x - y) = of_Z (a - b)%coqZ.
Proof. by move=> xa yb; rewrite mulrBr xa yb of_ZB. Qed.
Lemma shows_M (s : R) x y a b : r * x = of_Z a -> s * y = of_Z b -> r * s * (x * y) = of_Z (a * b)%coqZ.
Proof. by move=> xa yb; rewrite mulrACA xa yb of_ZM. Qed.

Lemma shows_sum (T : finType) n (i : numbering T n) (f : T -> R) F :
  (forall t, r * f t = of_Z (F (i t))) -> r * (\sum_t f t) = of_Z (sum n F).
Proof. by move=> fF; rewrite (of_sum i) mulr_sumr; exact: eq_bigr. Qed.

Lemma label_shows K (s : 'I_K.+1 -> R) F : (forall l, r * s l = of_Z (F (val l))) -> val (label s) = label_of K F.
Proof.
move=> sF; have is_labelE l : is_label s l = wins K F (val l).
  by apply/forallP/(eachP (ord_numbering K)) => ok k; have := ok k; rewrite (shows_lt (sF _) (sF _)) (shows_eq (sF _) (sF _)).
have win : has (wins K F) (iota 0 K.+1).
  by apply/(someP (ord_numbering K)); exists (label s); rewrite -is_labelE; apply/labelP.
have lt_K : (label_of K F < K.+1)%N by rewrite -[X in (_ < X)%N](size_iota 0) -has_find.
suff -> : label s = Ordinal lt_K by [].
apply/labelP; rewrite is_labelE /=; have := nth_find 0%N win; rewrite nth_iota //.
Qed.

End Signs.

Arguments shows_sum {R r T n} i {f F}.

(** ** From rational numbers to integers over their common denominator *)

Definition common (s : seq Q) : Z := foldr (fun q d => Z.lcm (Zpos (Qden q)) d) 1%coqZ s.
Definition cleared (d : Z) (q : Q) : Z := (Qnum q * (d / Zpos (Qden q)))%coqZ.
Definition integers (s : seq Q) : seq Z := let d := common s in [seq cleared d q | q <- s].
Definition integers2 (s : seq (seq Q)) : seq (seq Z) :=
  let d := common (flatten s) in [seq [seq cleared d q | q <- row] | row <- s].

Section Cleared.

Variable R : realFieldType.

Definition divides (d : Z) (q : Q) : bool := (d mod Zpos (Qden q) =? 0)%coqZ.

Lemma dividesP d q : reflect (Z.divide (Zpos (Qden q)) d) (divides d q).
Proof. by apply: (iffP idP) => [/Z.eqb_eq/Z.mod_divide|?]; [apply | apply/Z.eqb_eq/Z.mod_divide]. Qed.

Lemma common_divides s : all (divides (common s)) s.
Proof.
elim: s => //= q s IH; apply/andP; split; first exact/dividesP/Z.divide_lcm_l.
by apply: sub_all IH => q' /dividesP div; apply/dividesP/(Z.divide_trans _ _ _ div)/Z.divide_lcm_r.
Qed.

Lemma common_gt0 s : 0 < of_Z R (common s).
Proof.
suff : (0 < common s)%coqZ by case: (common s) => // d _; exact: of_Z_gt0.
elim: s => //= q s IH; apply/Z.le_neq; split; first exact: Z.lcm_nonneg.
by move=> /esym/Z.lcm_eq_0[//|eq0]; rewrite eq0 in IH.
Qed.

Lemma cleared_of_Q d q : divides d q -> of_Z R d * of_Q R q = of_Z R (cleared d q).
Proof.
move=> /dividesP[k ->]; rewrite /cleared Z.div_mul // !of_ZM /of_Q -mulrA [_ * (_ / _)]mulrC.
by rewrite divfK ?den_neq0 // mulrC.
Qed.

Lemma get_map (F : Q -> Z) s i : F 0%coqQ = 0%coqZ -> get (map F s) i = F (entry s i).
Proof. by move=> F0; rewrite /get /entry; elim: s i => [|q s IH] [|i] //=. Qed.

Lemma cleared_entry d s i : all (divides d) s -> of_Z R d * of_Q R (entry s i) = of_Z R (get (map (cleared d) s) i).
Proof.
rewrite get_map // => /all_nthP ok; apply: cleared_of_Q; rewrite /entry.
by have [/(ok 0%coqQ)//|le] := ltnP i (size s); rewrite nth_default // /divides Z.mod_1_r.
Qed.

Lemma integers_entry s i : of_Z R (common s) * of_Q R (entry s i) = of_Z R (get (integers s) i).
Proof. exact/cleared_entry/common_divides. Qed.

Lemma integers2_entry s i j : of_Z R (common (flatten s)) * of_Q R (entry2 s i j) = of_Z R (get2 (integers2 s) i j).
Proof.
have ok : all (divides (common (flatten s))) (nth [::] s i).
  have := common_divides (flatten s); move: (common _) => d.
  by elim: s i => [|row s IH] [|i] //=; rewrite all_cat => /andP[ok_row ok_s] //; exact: IH.
rewrite /get2 /entry2 /integers2 (_ : nth _ _ _ = map (cleared (common (flatten s))) (nth [::] s i)); last first.
  by move: (common _) => d; elim: s i {ok} => [|row s IH] [|i] //=.
exact: cleared_entry.
Qed.

End Cleared.

(** ** Two lists that are positive multiples of each other *)

Definition proportional (s : seq (Z * Z)) : bool :=
  let: (x, y) := nth (1, 1)%coqZ s (find (fun xy => ~~ (xy.1 =? 0)%coqZ) s) in
  let: (a, b) := (Z.abs y, Z.abs x) in
  [&& (0 <? a)%coqZ, (0 <? b)%coqZ & all (fun xy => b * xy.2 =? a * xy.1)%coqZ s].

Lemma proportionalP (R : realFieldType) s : proportional s ->
  exists2 r : R, 0 < r & all (fun xy => of_Z R xy.2 == r * of_Z R xy.1) s.
Proof.
rewrite /proportional; case: (nth _ _ _) => x0 y0; move: (Z.abs y0) (Z.abs x0) => a b /and3P[a0 b0 eq_s].
have aR : 0 < of_Z R a by rewrite -of_Z0 of_Z_lt.
have bR : 0 < of_Z R b by rewrite -of_Z0 of_Z_lt.
exists (of_Z R a / of_Z R b); first exact: divr_gt0.
apply: sub_all eq_s => xy eq_xy; apply/eqP/(mulfI (lt0r_neq0 bR)).
by rewrite mulrA [_ * (_ / _)]mulrC divfK ?lt0r_neq0 // -!of_ZM; apply/eqP; rewrite of_Z_eqE.
Qed.

Lemma all_pairs (U V W : Type) (P : pred W) (F : U -> V -> W) s t :
  all P [seq F x y | x <- s, y <- t] = all (fun x => all (fun y => P (F x y)) t) s.
Proof. by elim: s => //= x s IH; rewrite all_cat all_map IH. Qed.
Lemma all_flatten (U : Type) (P : pred U) ss : all P (flatten ss) = all (all P) ss.
Proof. by elim: ss => //= s ss IH; rewrite all_cat IH. Qed.

(** ** Sums over the members of lists *)

Fixpoint dot_lists (v w : seq Z) : Z := if v is a :: v then if w is b :: w then (a * b + dot_lists v w)%coqZ else 0%coqZ else 0%coqZ.

Lemma dot_listsE (R : realFieldType) n v w : (size w <= n)%N ->
  of_Z R (dot_lists v w) = \sum_(i < n) of_Z R (get v i) * of_Z R (get w i).
Proof.
elim: n v w => [|n IH] [|a v] [|b w] //= le; rewrite ?big_ord0 //.
- by rewrite big1 // => i _; rewrite /get !nth_nil mul0r.
- by rewrite big1 // => i _; rewrite /get !nth_nil mul0r.
- by rewrite big1 // => i _; rewrite (_ : get [::] i = 0%coqZ) ?mulr0 // /get nth_nil.
by rewrite big_ord_recl of_ZD of_ZM IH.
Qed.
