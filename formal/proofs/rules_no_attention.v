(** Rules of the certificate format: attention heads that do not exist (section 11). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.linear proofs.entered proofs.attention proofs.theorems_4
  proofs.rules_refutation proofs.rules_attention proofs.rules_messages.

Section Positions.

Variables (R : realFieldType) (X : finType) (ts : seq (term R X)) (gamma : nat -> R).
Notation at_index i := (nth (Term [::] 0 0 0) ts i).

Lemma sum_index (P : pred (term R X)) (F : term R X -> R) :
  \sum_(c <- ts | P c) F c = \sum_(i < size ts | P (at_index i)) F (at_index i).
Proof. by rewrite (big_nth (Term [::] 0 0 0)) big_mkord. Qed.

(** The positions' own scores, position by position. *)
Lemma by_position (f : term R X -> nat) n : (forall i : 'I_(size ts), (f (at_index i) < n.+1)%N) ->
  \sum_(c <- ts) times c * gamma (f c) = \sum_(p < n.+1) gamma p * \sum_(c <- ts | f c == p) times c.
Proof.
move=> below; rewrite sum_index (partition_big (fun i : 'I__ => inord (f (at_index i)) : 'I_n.+1) xpredT) //=.
apply: eq_bigr => p _; rewrite sum_index mulr_sumr.
have eq_p (i : 'I_(size ts)) : (inord (f (at_index i)) == p) = (f (at_index i) == p).
  by rewrite -val_eqE /= inordK.
by apply: eq_big => i; rewrite ?eq_p // => /eqP <-; rewrite mulrC.
Qed.

Lemma positions_cancel : (forall p, \sum_(c <- ts | here c == p) times c = \sum_(c <- ts | there c == p) times c) ->
  \sum_(c <- ts) times c * (gamma (here c) - gamma (there c)) = 0.
Proof.
move=> same; pose n := \max_(i < size ts) maxn (here (at_index i)) (there (at_index i)).
have below (i : 'I_(size ts)) : (maxn (here (at_index i)) (there (at_index i)) < n.+1)%N.
  by rewrite ltnS; apply: (leq_bigmax (F := fun i : 'I_(size ts) => maxn (here (at_index i)) (there (at_index i)))).
under eq_bigr do rewrite mulrBr; rewrite sumrB (by_position (n := n)) => [|i]; last first.
  by apply: leq_ltn_trans (below i); exact: leq_maxl.
rewrite (by_position (n := n)) => [|i]; last by apply: leq_ltn_trans (below i); exact: leq_maxr.
by apply/eqP; rewrite subr_eq0; apply/eqP; apply: eq_bigr => p _; rewrite same.
Qed.

End Positions.

Section Heads.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).
Variables (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S)).
Implicit Types (x : seq X) (known : knowledge X).
Notation score x i := (attention_score a (G (hbar m) x) i).
Notation set_of x := (attended a (size x) (G (hbar m) x)).

(** The set of an input, as a mask. *)
Definition mask_of x : bitseq :=
  mkseq (fun i => [forall k : 'I_(size x), score x k.+1 <= score x i.+1]) (size x).

Lemma mask_ofP x (i : 'I_(size x)) : nth false (mask_of x) i = (i \in set_of x).
Proof. by rewrite nth_mkseq // inE. Qed.

(** What is known is so. *)
Definition true_of known : Prop := forall x mask, known x = Some mask -> mask = mask_of x.

Lemma keys_impossible known (ts : seq (term R X)) : true_of known -> ~ keys_leaf m known ts.
Proof.
move=> so [good [i0 lt0 un0] zero same].
pose d (c : term R X) := score (of_input c) (here c).+1 - score (of_input c) (there c).+1.
have total : \sum_(c <- ts) times c * d c = 0.
  pose g (c : term R X) z := G (hbar m) (of_input c) (here c).+1 z - G (hbar m) (of_input c) (there c).+1 z.
  pose q i := position_score a i.+1.
  have -> : \sum_(c <- ts) times c * d c =
      \sum_(c <- ts) times c * dot (key_vector a) (g c) + \sum_(c <- ts) times c * (q (here c) - q (there c)).
    rewrite -big_split; apply: eq_bigr => c _; rewrite /= -mulrDr; congr (_ * _).
    by rewrite /d !key_scoreE (dotC _ (g c)) dotB !(dotC _ (key_vector a)) opprD addrACA.
  rewrite positions_cancel // addr0 /dot.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big big1 // => z _.
  under eq_bigr do rewrite mulrCA; by rewrite -mulr_sumr zero mulr0.
have term_ge0 (i : 'I_(size ts)) : let c := nth (Term [::] 0 0 0) ts i in
    0 <= times c * d c /\ (unattended known c -> 0 < times c * d c).
  move=> c; have [mask [known_c /andP[lt_h in_h] lt_t _]] : good_term known c := good i (ltn_ord i).
  rewrite (so _ _ known_c) in in_h *.
  have top_h : Ordinal lt_h \in set_of (of_input c) by rewrite -mask_ofP.
  rewrite (mask_ofP (Ordinal lt_t)); case: ifPn => [top_t _|low_t t_gt0].
    have eq0 : d c = 0.
      apply/eqP; rewrite subr_eq0 eq_le; move: top_h top_t; rewrite !inE => /forallP max_h /forallP max_t.
      by rewrite (max_t (Ordinal lt_h)) (max_h (Ordinal lt_t)).
    rewrite eq0 mulr0; split=> // -[mask' known' un].
    by move: un; rewrite (so _ _ known') (mask_ofP (Ordinal lt_t)) top_t.
  have d_gt0 : 0 < d c.
    rewrite subr_gt0; move: top_h low_t; rewrite !inE => /forallP max_h /forallPn[k]; rewrite -ltNge => lt_k.
    exact: lt_le_trans lt_k (max_h k).
  by split=> [|_]; [exact: ltW (mulr_gt0 t_gt0 d_gt0) | exact: mulr_gt0].
have := lt_irreflexive (0 : R); rewrite -{2}total sum_index sum_gt0 => [|i]; last exact: (term_ge0 i).1.
by case/existsP; exists (Ordinal lt0); exact: (term_ge0 (Ordinal lt0)).2.
Qed.

(** The head's scores, times the number of positions that it attends to. *)
Definition total l x : R := \sum_(i in set_of x) attention_value a (G (hbar m) x) (letter_at (map emb x)) l i.+1.

Lemma total_output known x l : known x = Some (mask_of x) -> total l x =
  dot (fun p : X * X => value_vector a l (emb p.1) p.2) (fun p => attended_output m known x p.1 p.2).
Proof.
move=> known_x; rewrite /dot.
rewrite -(pair_bigA _ (fun z' z => value_vector a l (emb z') z * attended_output m known x z' z)) /=.
rewrite /attended_output known_x /=.
case: x known_x => [|z0 x0] known_x.
  rewrite /total big1 => [|[] //]; rewrite big1 // => z' _; rewrite big1 // => z _.
  by rewrite big1 ?mulr0 // => -[].
set x := z0 :: x0 in known_x *; rewrite /total big_mkcond.
have -> : \sum_z' \sum_z value_vector a l (emb z') z * (\sum_(i < size x |
      nth false (mask_of x) i && (nth z' x i == z')) G (hbar m) x i.+1 z) =
    \sum_(i < size x) \sum_z' (if (i \in set_of x) && (nth z0 x i == z')
      then dot (value_vector a l (emb z')) (G (hbar m) x i.+1) else 0).
  rewrite [RHS]exchange_big; apply: eq_bigr => z' _ /=.
  under eq_bigr do rewrite mulr_sumr big_mkcond.
  rewrite exchange_big; apply: eq_bigr => i _; rewrite mask_ofP (set_nth_default z0) //.
  by rewrite -/(size x); case: (_ && _) => //; exact: big1.
have emb_i (i : 'I_(size x)) : letter_at (map emb x) i.+1 =1 emb (nth z0 x i).
  by have -> := letter_at_map z0 emb (ltn_ord i : (1 <= i.+1 <= size x)%N).
apply: eq_bigr => i _; case: (i \in set_of x); last by rewrite big1.
rewrite (bigD1 (nth z0 x i)) //= eqxx big1 ?addr0 => [|z /negbTE neq]; last by rewrite eq_sym neq.
rewrite valueE; apply: eq_dot => // z; apply: eq_bigr => c _; congr (_ * (_ * _)); exact: emb_i.
Qed.

Lemma no_head_wrong known (t : head_tree R X K) : true_of known -> no_head m mu j Hs known t -> exists2 x, in_R m Hs x &
    memory_F_star m mu j x <> attention_head a (size x) (G (hbar m) x) (letter_at (map emb x)).
Proof.
have size_gt0 x : in_R m Hs x -> (0 < size x)%N by move=> /in_R_Ihat[_ [i _]]; exact: leq_ltn_trans (ltn_ord i).
elim: t known => [x child IH|ts|cs] known so /=.
- move=> [x_R _ below]; apply: (IH (mask_of x) (learn known x (mask_of x))) => [y mask|].
    by rewrite /learn; case: eqP => [-> [<-]|_ /so].
  apply: below; first by rewrite size_mkseq.
  have [i iP] := attended_exists a (G (hbar m) x) (size_gt0 x x_R).
  apply/(has_nthP false); exists (val i); first by rewrite size_mkseq; exact: ltn_ord.
  by rewrite [nth _ _ _]mask_ofP.
- by move=> leaf; case: (keys_impossible so leaf).
move=> [cs_ok zero].
have gain_eq : gain (memory_F_star m mu j) total cs = gain (memory_F_star m mu j)
    (fun l x => dot (fun p : X * X => value_vector a l (emb p.1) p.2) (fun p => attended_output m known x p.1 p.2)) cs.
  rewrite /gain big_seq [RHS]big_seq; apply: eq_bigr => c c_in.
  have [[_ known_c] _ _] := cs_ok.1 c c_in.
  have known_mask : known (at_input c) = Some (mask_of (at_input c)).
    by case eq_known: (known (at_input c)) known_c => [mask|//] _; rewrite (so _ _ eq_known).
  by rewrite !(total_output _ known_mask).
have le0 : gain (memory_F_star m mu j) total cs <= 0.
  by rewrite gain_eq gain_combination big1 // => l _; rewrite big1 // => p _; rewrite zero mulr0.
have [x [x_R _] wrong] := no_gain cs_ok le0; exists x => //.
by rewrite label_sum.
Qed.

End Heads.

Theorem rule_no_attention_head : statement_rule_no_attention_head.
Proof. by move=> R N M S X m K mu j Hs t refuted a emb; exact: no_head_wrong refuted. Qed.
