(** Rules of the certificate format: prompts and attention heads that do not exist, by decoys (section 11). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.attention
  proofs.theorems_4 proofs.rules_refutation proofs.rules_attention proofs.rules_no_attention proofs.rules_alike.

(** ** Vectors scaled to sum 1, and their mixtures *)

Section Unit.

Variables (R : realFieldType) (X : finType).
Implicit Types (v d q : X -> R).

Definition unit v (z : X) : R := v z / \sum_z' v z'.

Lemma sum_eq0 v : (forall z, 0 <= v z) -> \sum_z v z = 0 -> forall z, v z = 0.
Proof. by move=> v0 /psumr_eq0P v_eq0 z; apply: v_eq0 => // z' _; exact: v0. Qed.

Lemma unit_multiple d v : multiple_of d v -> (exists z, v z != 0) -> unit v =1 unit d.
Proof.
move=> [s eq_v] [z0 nz] z; have s_neq0 : s != 0 by apply: contraNneq nz => s0; rewrite eq_v s0 mul0r.
by rewrite /unit (eq_bigr _ (fun z' _ => eq_v z')) -mulr_sumr eq_v -mulf_div divff ?mul1r.
Qed.

Lemma dot_unit q v : (forall z, 0 <= v z) -> dot q v = dot q (unit v) * \sum_z v z.
Proof.
move=> v0; have [sum0|nz] := eqVneq (\sum_z v z) 0.
  by rewrite sum0 mulr0; apply: big1 => z _; rewrite (sum_eq0 v0 sum0) mulr0.
by rewrite /unit dot_div divfK.
Qed.

(** A functional of a mixture is the mean of those of its parts. *)
Lemma dot_mixture (T : finType) (P : pred T) (w : T -> R) (v : T -> X -> R) q : (forall t z, P t -> 0 <= v t z) ->
  let p t := if P t then w t * \sum_z v t z else 0 in
  dot q (fun z => (\sum_(t | P t) w t * v t z) / \sum_z' \sum_(t | P t) w t * v t z') =
  (\sum_t dot q (unit (v t)) * p t) / \sum_t p t.
Proof.
move=> v0 p; rewrite dot_div dot_sum; congr (_ / _).
  rewrite big_mkcond; apply: eq_bigr => t _; rewrite /p; case: ifP => [Pt|_]; last by rewrite mulr0.
  by rewrite mulrCA -dot_unit // => z; exact: v0.
by rewrite exchange_big [LHS]big_mkcond; apply: eq_bigr => t _; rewrite /p mulr_sumr.
Qed.

End Unit.

Section Replaced.

Variables (T : Type) (x : seq T) (i : nat) (z : T).
Hypothesis le_i : (1 <= i <= size x)%N.

Lemma nth_replace z0 k : nth z0 (replace x i z) k = if k == i.-1 then z else nth z0 x k.
Proof.
have [y [z1 [w [-> ->]]]] := cut le_i; rewrite replaceE !nth_cat /=.
case: (ltngtP k (size y)) => // [lt_k|->]; last by rewrite subnn.
by rewrite -(subnSK lt_k).
Qed.

Lemma size_replace : size (replace x i z) = size x.
Proof. by have [y [z1 [w [-> ->]]]] := cut le_i; rewrite replaceE !size_cat. Qed.

End Replaced.

Lemma mean_le (R : realFieldType) (T : finType) (p F : T -> R) (k : R) : (forall t, 0 <= p t) -> \sum_t p t != 0 ->
  (forall t, p t != 0 -> F t <= k) -> (\sum_t F t * p t) / (\sum_t p t) <= k.
Proof.
move=> p0 nz le_k; rewrite ler_pdivr_mulr ?mass_gt0 // mulr_sumr; apply: ler_sum => t _.
by have [->|/le_k le_t] := eqVneq (p t) 0; rewrite ?mulr0 // ler_wpmul2r.
Qed.

(** ** Heads on inputs that are alike: what a token at a position changes *)

Section Heads.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (u : letter R (full N M S)) (a : attention R N M S X K).
Variables (emb0 : letter R (cell_state N M S)) (emb : X -> letter R (cell_state N M S)).
Hypothesis u0 : forall g, 0 <= u g.
Notation label_of x := (attention_head a (size x).+1 (prompted_output m u x) (letter_at (emb0 :: map emb x))).
Implicit Types (x : seq X) (i k : nat) (z : X) (l : 'I_K.+1) (q : X -> R) (f : full N M S).

Section Alike.

Variable x' : seq X.
Notation outputs := (prompted_output m u x').
Notation score i := (attention_score a outputs i.+1).

(** Position i has the largest score. *)
Definition top i : bool := [forall k : 'I_(size x').+1, score k <= score i].

Definition value_of l (e : letter R (cell_state N M S)) i : R := dot (value_vector a l e) (outputs i.+1).
Definition sum_top l x : R :=
  \sum_(k < (size x').+1) if top k then value_of l (letter_at (emb0 :: map emb x) k.+1) k else 0.

Lemma label_sum_top x : alike m x' x -> label_of x = label (sum_top^~ x).
Proof.
move=> eq_x; rewrite label_sum; apply: label_ext => l; have [eq_size _] := eq_x.
rewrite eq_size alike_attended // big_mkcond; apply: eq_bigr => k _; rewrite inE -/(top k); case: ifP => // _.
by rewrite valueE; apply: eq_dot => //; apply: alike_output => //; rewrite -ltnS.
Qed.

Lemma sum_top_replace z0 x i z l : size x = size x' -> (1 <= i <= size x')%N -> sum_top l (replace x i z) =
  sum_top l x + if top i then value_of l (emb z) i - value_of l (emb (nth z0 x i.-1)) i else 0.
Proof.
move=> eq_size le_i; have le_ix : (1 <= i <= size x)%N by rewrite eq_size.
have lt_i : (i < (size x').+1)%N by case/andP: le_i.
have embE y k : (1 <= k <= size y)%N -> letter_at (emb0 :: map emb y) k.+1 = emb (nth z0 y k.-1).
  by case: k => // k lt_k; rewrite -(letter_at_map z0 emb lt_k).
rewrite /sum_top (bigD1 (Ordinal lt_i)) // [in RHS](bigD1 (Ordinal lt_i)) //= [RHS]addrAC; congr (_ + _).
  case: ifP => _; last by rewrite addr0.
  by rewrite !embE ?size_replace // nth_replace // eqxx addrC subrK.
apply: eq_bigr => -[[|k] lt_k] //=; rewrite -val_eqE /= => neq.
have le_k y : size y = size x' -> (1 <= k.+1 <= size y)%N by move=> ->.
case: ifP => // _; rewrite !embE ?le_k ?size_replace // nth_replace //=; case: eqP => // eq_k.
by move: neq; rewrite eq_k prednK ?eqxx //; case/andP: le_i.
Qed.

(** ** An output after the prompt is a mixture of the columns, scaled *)

Notation col i f := (prompt_column m x' i f).
Notation possible f := (0 < P_H (hbar m) 1 f).

Definition share i f : R := if possible f then u f * \sum_z col i f z else 0.

Lemma dot_outputs q i : (1 <= i <= size x')%N ->
  dot q (outputs i.+1) = (\sum_f dot q (unit (col i f)) * share i f) / \sum_f share i f.
Proof.
move=> /andP[i1 le_i]; rewrite -(@dot_mixture _ _ _ _ u (prompt_column m x' i)) => [|f z _]; last first.
  exact: prompt_column_ge0.
apply: eq_dot => // z; apply: output_weights => // g.
by case: i i1 le_i => // i _; exact: tau_tokens.
Qed.

Lemma share_ge0 i f : (i <= size x')%N -> 0 <= share i f.
Proof.
move=> le_i; rewrite /share; case: ifP => // _; rewrite mulr_ge0 // sumr_ge0 // => z _; exact: prompt_column_ge0.
Qed.

Lemma share_neq0 i f : (i <= size x')%N -> share i f != 0 <-> [/\ possible f, u f != 0 & exists z, col i f z != 0].
Proof.
move=> le_i; rewrite /share; case: ifP => pos; last by rewrite eqxx; split=> // -[].
rewrite mulf_eq0 negb_or; split=> [/andP[-> nz]|[_ -> [z nz]]]; last first.
  by apply: contraNneq nz => /sum_eq0 -> //= z'; exact: prompt_column_ge0.
split=> //; apply/existsP; apply: contraNT nz => /existsPn none; apply/eqP; apply: big1 => z _.
by apply/eqP/negPn; exact: none.
Qed.

(** Where a token at i alone changes the label, i is attended to, and read. *)
Lemma changes_label x i z : alike m x' x -> alike m x' (replace x i z) -> (1 <= i <= size x')%N ->
  label_of x != label_of (replace x i z) -> top i /\ \sum_f share i f != 0.
Proof.
move=> eq_x eq_x1 le_i; rewrite !label_sum_top // => /eqP neq; have [eq_size _] := eq_x.
have nothing : (forall e l, top i -> value_of l e i = 0) -> False.
  move=> zero; apply: neq; apply: label_ext => l; rewrite (sum_top_replace z) //.
  by case: ifP => [top_i|_]; rewrite ?zero // ?subrr addr0.
split; first by apply/negPn/negP => /negbTE not_top; apply: nothing => e l; rewrite not_top.
by apply/negP => /eqP none; apply: nothing => e l _; rewrite /value_of dot_outputs // none invr0 mulr0.
Qed.

End Alike.

(** ** The rule *)

Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}) (G L : finType).
Variables (group_of : G -> group X) (leaf_of : L -> leaf R X G) (y y' : X) (l l' : 'I_K.+1).
Hypothesis valid : decoys m mu j Hs group_of leaf_of y y' l l'.
Hypothesis right : forall g x, x \in members (group_of g) -> memory_F_star m mu j x = label_of x.

Notation first_of g := (one (group_of g)).
Notation place g := (contested (group_of g)).
Notation out g i := (prompted_output m u (first_of g) i.+1).
Notation own i := (position_score a i.+1).
Notation dir b := (direction (leaf_of b)).
Notation terms b := (lead (leaf_of b) :: rest (leaf_of b)).

Lemma good_groups g : good_group m mu j Hs (group_of g). Proof. by have [] := valid. Qed.

Lemma good_leaves b : good_leaf m group_of (leaf_of b). Proof. by have [] := valid. Qed.

Lemma le_place g : (1 <= place g <= size (first_of g))%N. Proof. by have [] := good_groups g. Qed.

Lemma place_read g : top (first_of g) (place g) /\ \sum_f share (first_of g) (place g) f != 0.
Proof.
have [in_group neq le_i [z eq_two]] := good_groups g.
have one_in : first_of g \in members (group_of g) by rewrite inE eqxx.
have two_in : two (group_of g) \in members (group_of g) by rewrite !inE eqxx orbT.
have [_ eq_one] := in_group _ one_in; have [_ eq_two'] := in_group _ two_in.
move: neq; rewrite (right one_in) (right two_in).
by move: eq_two'; rewrite eq_two => eq_two'; exact: changes_label.
Qed.

(** The leaf of the largest key score, and among those of the largest gap. *)
Definition key_of b : R := dot (key_vector a) (unit (dir b)).
Definition gap_row z : R := (value_vector a l (emb y) z - value_vector a l (emb y') z) -
  (value_vector a l' (emb y) z - value_vector a l' (emb y') z).
Definition gap_of b : R := dot gap_row (unit (dir b)).

Lemma best_leaf :
  exists b, (forall b', key_of b' <= key_of b) /\ forall b', key_of b' = key_of b -> gap_of b' <= gap_of b.
Proof.
have /card_gt0P[b0 _] : (0 < #|L|)%N by have [] := valid.
pose c := [arg max_(b > b0) key_of b]%O.
have c_max b : key_of b <= key_of c by rewrite /c; case: arg_maxP => // i _; exact.
pose d := [arg max_(b > c | key_of b == key_of c) gap_of b]%O; exists d.
rewrite /d; case: arg_maxP => // b /eqP-> b_max; split=> // b' /eqP; exact: b_max.
Qed.

(** What is read at a contested position is of the direction of some leaf. *)
Lemma place_direction g f : share (first_of g) (place g) f != 0 ->
  exists b, unit (prompt_column m (first_of g) (place g) f) =1 unit (dir b).
Proof.
have [_ le_i] := andP (le_place g); move=> /(share_neq0 f le_i)[pos _ nz].
by have [_ _ _ _ /(_ g f pos)[b mult]] := valid; exists b; exact: unit_multiple.
Qed.

(** Decoys are read with the direction of their leaf. *)
Lemma decoy_direction b c q : c \in terms b -> dot q (out c.1.1 (decoy c)) = dot q (unit (dir b)).
Proof.
move=> c_in; have [/(_ c c_in)[/= le_j _ _ columns] _] := good_leaves b.
have [[_ le_i] [_ le_j']] := (andP (le_place c.1.1), andP le_j).
have [_ /some_mass[f /(share_neq0 f le_i)[pos u_f nz]]] := place_read c.1.1.
have share_f : share (first_of c.1.1) (decoy c) f != 0.
  by apply/(share_neq0 f le_j'); split=> //; have [_] := columns f pos; exact.
rewrite dot_outputs //; apply: mean_eq => [|f' /(share_neq0 f' le_j')[pos' _ nz']].
  by apply: contraNneq share_f => /psumr_eq0P-> // f' _; exact: share_ge0.
by apply: eq_dot => //; apply: unit_multiple => //; have [] := columns f' pos'.
Qed.

Section Best.

Variable b : L.
Hypothesis key_max : forall b', key_of b' <= key_of b.
Hypothesis gap_max : forall b', key_of b' = key_of b -> gap_of b' <= gap_of b.

Lemma key_place g : dot (key_vector a) (out g (place g)) <= key_of b.
Proof.
have [_ le_i] := andP (le_place g); rewrite dot_outputs ?le_place //.
apply: mean_le => [f||f]; [exact: share_ge0|by have [] := place_read g|].
by move=> /place_direction[b' eq_b']; rewrite (eq_dot (frefl _) eq_b'); exact: key_max.
Qed.

(** Where it scores as much as the best, it is a mixture of the best. *)
Lemma gap_place g : dot (key_vector a) (out g (place g)) = key_of b -> dot gap_row (out g (place g)) <= gap_of b.
Proof.
have [_ le_i] := andP (le_place g); rewrite !dot_outputs ?le_place // => eq_key.
apply: mean_le => [f||f]; [exact: share_ge0|by have [] := place_read g|move=> nz].
have [b' eq_b'] := place_direction nz; rewrite (eq_dot (frefl _) eq_b'); apply: gap_max.
apply/eqP; rewrite eq_le key_max leNgt; apply/negP => lt_key.
have : key_of b < key_of b; last by rewrite ltxx.
rewrite -{1}eq_key; apply: mean_lt nz _ => [f'||f' /place_direction[b1 eq_b1]|].
- exact: share_ge0.
- by have [] := place_read g.
- by rewrite (eq_dot (frefl _) eq_b1); exact: key_max.
by rewrite (eq_dot (frefl _) eq_b').
Qed.

Definition lead_group : G := (lead (leaf_of b)).1.1.
Definition lead_decoy : nat := decoy (lead (leaf_of b)).

Lemma decoy_score c : c \in terms b -> attention_score a (prompted_output m u (first_of c.1.1)) (decoy c).+1 =
  key_of b + own (decoy c).
Proof. by move=> c_in; rewrite key_scoreE (decoy_direction _ c_in). Qed.

(** A contested position scores at least what its decoy does. *)
Lemma own_ge c : c \in terms b -> 0 <= own (place c.1.1) - own (decoy c).
Proof.
move=> c_in; have [/(_ c c_in)[/= /andP[_ le_j] _ _ _] _] := good_leaves b.
have [/forallP/(_ (Ordinal (le_j : (decoy c < (size (first_of c.1.1)).+1)%N))) /= le_score _] := place_read c.1.1.
rewrite subr_ge0 -(ler_add2l (key_of b)) -decoy_score //; apply: le_trans le_score _.
by rewrite key_scoreE ler_add2r key_place.
Qed.

(** In the sum over terms the positions' own scores cancel: so those of the first term are equal. *)
Lemma own_eq : own (place lead_group) = own lead_decoy.
Proof.
have [good sums] := good_leaves b.
pose term_of (c : decoy_term R G) : term R X := Term [::] (place c.1.1) (decoy c) (factor c).
have /(positions_cancel (fun i => own i)) : forall p, \sum_(c <- map term_of (terms b) | here c == p) times c =
    \sum_(c <- map term_of (terms b) | there c == p) times c.
  by move=> p; rewrite !big_map; exact: sums.
rewrite big_map big_cons /= => sum0.
have ge0 c : c \in terms b -> 0 <= factor c * (own (place c.1.1) - own (decoy c)).
  by move=> c_in; have [_ _ t_gt0 _] := good c c_in; rewrite mulr_ge0 ?own_ge ?ltW.
have lead_in : lead (leaf_of b) \in terms b by rewrite inE eqxx.
have rest_ge0 : 0 <= \sum_(c <- rest (leaf_of b)) factor c * (own (place c.1.1) - own (decoy c)).
  by rewrite big_seq; apply: sumr_ge0 => c c_in; apply: ge0; rewrite inE c_in orbT.
have [_ _ t_gt0 _] := good _ lead_in.
apply/eqP; rewrite -subr_eq0 eq_le own_ge // andbT -(pmulr_rle0 _ t_gt0) -sum0 ler_addl; exact: rest_ge0.
Qed.

(** So both score alike: what is read at the contested position is of the best, and the decoy is attended to. *)
Lemma key_lead :
  dot (key_vector a) (out lead_group (place lead_group)) = key_of b /\ top (first_of lead_group) lead_decoy.
Proof.
have lead_in : lead (leaf_of b) \in terms b by rewrite inE eqxx.
have [top_i _] := place_read lead_group; have /forallP max_i := top_i.
have [/(_ _ lead_in)[/= /andP[_ le_j] _ _ _] _] := good_leaves b.
have := max_i (Ordinal (le_j : (lead_decoy < (size (first_of lead_group)).+1)%N)).
rewrite /= decoy_score // key_scoreE own_eq ler_add2r => le_key.
have eq_key : dot (key_vector a) (out lead_group (place lead_group)) = key_of b.
  by apply/eqP; rewrite eq_le key_place le_key.
split=> //; apply/forallP => k; apply: le_trans (max_i k) _.
by rewrite decoy_score // key_scoreE own_eq eq_key.
Qed.

Lemma no_best : False.
Proof.
have lead_in : lead (leaf_of b) \in terms b by rewrite inE eqxx.
have [key_eq top_j] := key_lead; have [top_i _] := place_read lead_group.
have [in_group _ le_i _] := good_groups lead_group.
have [/(_ _ lead_in)[/= le_j neq_ij _ _] _] := good_leaves b.
have [_ _ _ /(_ b)[[n_in n'_in] [eq_y eq_y'] eq_n' [neq_l F_n F_n']] _] := valid.
set n := unswapped _ in n_in eq_y eq_y' eq_n' F_n; set n' := swapped _ in n'_in eq_n' F_n'.
have [_ eq_n] := in_group _ n_in; have [_ eq_n1] := in_group _ n'_in; have [size_n _] := eq_n.
pose s h := sum_top (first_of lead_group) h n; pose s' h := sum_top (first_of lead_group) h n'.
pose i := place lead_group; pose i' := lead_decoy.
pose E h k := value_of (first_of lead_group) h (emb y) k - value_of (first_of lead_group) h (emb y') k.
have s'E h : s' h = s h - (E h i - E h i').
  have size_r : size (replace n i y') = size (first_of lead_group) by rewrite size_replace size_n.
  rewrite /s' eq_n' (sum_top_replace y') // (sum_top_replace y) // top_i top_j eq_y nth_replace ?size_n //.
  case: eqP => [eq_ij|_]; last by rewrite eq_y' -addrA; congr (_ + _); rewrite /E !opprB addrC.
  have [[i0 _] [j0 _]] := (andP le_i, andP le_j).
  by case/eqP: neq_ij; rewrite -(prednK j0) -[RHS](prednK i0); congr _.+1.
have [d1 d1'] : 0 <= s l - s l' /\ ((l < l')%N -> 0 < s l - s l').
  by apply: label_gain; rewrite -label_sum_top // -(right n_in).
have [d2 d2'] : 0 <= s' l' - s' l /\ ((l' < l)%N -> 0 < s' l' - s' l).
  by apply: label_gain; rewrite -label_sum_top // -(right n'_in).
have gain : (s l - s l') + (s' l' - s' l) = dot gap_row (out lead_group i) - gap_of b.
  have exchange (c1 c2 c3 c4 : R) : c1 - c2 - (c3 - c4) = c1 - c3 - (c2 - c4).
    by rewrite opprD addrACA -opprD.
  have gapE k : dot gap_row (out lead_group k) = E l k - E l' k by rewrite /gap_row !dotB.
  rewrite /gap_of -(decoy_direction _ lead_in) !gapE [RHS]exchange !s'E [s l' - _ - _]exchange addrA subrKA.
  by rewrite subrr sub0r opprB.
have : (s l - s l') + (s' l' - s' l) <= 0 by rewrite gain subr_le0 gap_place.
rewrite leNgt => /negP; apply; case: (ltngtP l l') => [lt_l|gt_l|/val_inj eq_l].
- by rewrite ltr_paddr ?d1'.
- by rewrite ltr_paddl ?d2'.
by rewrite eq_l eqxx in neq_l.
Qed.

End Best.

Lemma no_right_head : False. Proof. by have [b [key_max gap_max]] := best_leaf; exact: no_best key_max gap_max. Qed.

End Heads.

Theorem rule_decoys_free_embeddings : statement_rule_decoys_free_embeddings.
Proof.
move=> R N M S X m K mu j Hs G L group_of leaf_of y y' l l' valid u a emb0 emb u0.
pose right x :=
  memory_F_star m mu j x == attention_head a (size x).+1 (prompted_output m u x) (letter_at (emb0 :: map emb x)).
have [/existsP[g /hasP[x x_in /eqP wrong]]|/existsPn none] :=
  boolP [exists g, has (predC right) (members (group_of g))].
  by have [_ good _ _ _] := valid; have [in_group _ _ _] := good g; exists x => //; have [] := in_group x x_in.
exfalso; apply: (no_right_head u0 valid) => g x x_in; apply/eqP/negPn; exact: (hasPn (none g) x x_in).
Qed.

(** The paper's heads have the embeddings phi(u) and W[z,:]. *)
Theorem rule_decoys : statement_rule_decoys.
Proof.
move=> R N M S X m K mu j Hs G L group_of leaf_of y y' l l' valid u a u0.
have [x x_R wrong] := rule_decoys_free_embeddings valid a (phi u) (memit m) u0; exists x => //.
move=> eq_label; apply: wrong; rewrite eq_label !label_sum; apply: label_ext => h; apply: eq_bigr => -[i lt_i] _.
rewrite /attention_value; apply: eq_dot => // c; congr (_ * _); case: i lt_i => //= i lt_i.
have le_i : (1 <= i.+1 <= size x)%N by [].
have [z0 _] : exists z0 : X, True by case: (x) le_i => // z0; exists z0.
by rewrite [LHS](prompted_embeddingE m u z0 c le_i) -(letter_at_map z0 (memit m) le_i).
Qed.
