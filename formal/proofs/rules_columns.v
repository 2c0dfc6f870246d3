(** Rules of the certificate format: 4.2, 4.5 and C.5 as conditions on a ground set of columns (section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.rules_memory
  proofs.linear.

Section Ground.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (V : {set M}) (Hs : {set hidden N S}) (others D : {set cell_state N M S}).
Hypotheses (ground : D = setX V Hs :|: others) (off : forall c, c \in others -> c.2 \notin Hs).

Lemma apart : [disjoint setX V Hs & others].
Proof.
by apply/pred0P => -[b h] /=; rewrite in_setX; case: (boolP (_ \in others)) => [/off/negbTE/=->|]; rewrite !andbF.
Qed.

(** The columns of D with h in H*. *)
Lemma ownE c : (c \in D) && (c.2 \in Hs) = (c \in setX V Hs).
Proof.
case: c => b h; rewrite ground in_setU in_setX /=; case: (boolP (_ \in others)) => [/off/negbTE/=->|_].
  by rewrite !andbF.
by rewrite orbF -andbA andbb.
Qed.

Lemma separated_dual_vectors : separated m V Hs others <-> dual_vectors m D Hs.
Proof.
rewrite /separated; apply: (iff_trans (separated_dualP _ apart)); rewrite -ground.
split=> -[d dual]; exists d => c; first by move=> cD cH; apply: dual; rewrite -ownE cD.
by rewrite -ownE => /andP[]; exact: dual.
Qed.

Lemma separated_null_vectors : separated m V Hs others <-> forall h, h \in Hs -> ~ null_vector_at m D h.
Proof.
rewrite /separated; apply: (iff_trans (separated_nullP _ apart)); rewrite -ground.
split=> [none h hH [v [out [b nz] null]]|none v out null c c_own].
  case/negP: nz; apply/eqP; have [bD|] := boolP ((b, h) \in D); last exact: out.
  by apply: (none v out null); rewrite -ownE bD.
apply/eqP; apply: contraT => nz; move: c_own; rewrite -ownE => /andP[_ cH].
by case: (none c.2 cH); exists v; split=> //; exists c.1; rewrite -surjective_pairing.
Qed.

End Ground.

Section Assumptions.

Variables (N : nat) (M S : finType) (V : {set M}) (j : 'I_N) (S' : {set S}) (Hs : {set hidden N S}).

Lemma ground_4_2E : [set: cell_state N M S] = setX setT Hs :|: setX setT (~: Hs).
Proof. by apply/setP => -[b h]; rewrite !inE /= orbN. Qed.

Lemma ground_4_5E : @ground_4_5 N M S V = setX V Hs :|: setX V (~: Hs).
Proof. by apply/setP => -[b h]; rewrite !inE /= -andb_orr orbN andbT. Qed.

Lemma ground_C_5E : @ground_C_5 N M S V j = setX V (recoverable j S') :|:
  (setX V [set h | (h.1 == j) && (h.2 \notin S')] :|: setX setT [set h | h.1 != j]).
Proof. by apply/setP => -[b [k s]]; rewrite !inE /=; case: (k == j); case: (b \in V); case: (s \in S'). Qed.

Lemma off_complement (W : {set M}) (c : cell_state N M S) : c \in setX W (~: Hs) -> c.2 \notin Hs.
Proof. by rewrite !inE => /andP[]. Qed.

Lemma off_C_5 (c : cell_state N M S) :
  c \in setX V [set h | (h.1 == j) && (h.2 \notin S')] :|: setX setT [set h | h.1 != j] -> c.2 \notin recoverable j S'.
Proof. by rewrite !inE; case: (_ == j); case: (_ \in S'); rewrite ?andbF. Qed.

End Assumptions.

Theorem rule_dual_vectors : statement_rule_dual_vectors.
Proof.
move=> R N M S X m V j S' Hs; split; apply: separated_dual_vectors; [exact: ground_4_2E |
  exact: off_complement | exact: ground_4_5E | exact: off_complement | exact: ground_C_5E | exact: off_C_5].
Qed.

Theorem rule_unrecoverable : statement_rule_unrecoverable.
Proof.
move=> R N M S X m V j S' Hs; split; apply: separated_null_vectors; [exact: ground_4_2E |
  exact: off_complement | exact: ground_4_5E | exact: off_complement | exact: ground_C_5E | exact: off_C_5].
Qed.
