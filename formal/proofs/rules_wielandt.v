(** Rules of the certificate format: a chain is ergodic iff one power of A has no 0 (section 4). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.entered proofs.walks.

Section Powers.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** A^k[h',h] > 0 where a walk of k steps leads from h to h'. *)
Definition step_back : rel H := fun h' h => 0 < trans m h' h.

Lemma power_walk k h' h : (0 < trans_power m k h' h) = walk step_back k h' h.
Proof.
elim: k h' => [|k IH] h' /=; first by rewrite ltr0n lt0b.
rewrite sum_gt0 => [|g]; last by rewrite mulr_ge0 ?trans_ge0 ?trans_power_ge0.
apply: eq_existsb => g; rewrite lt0r mulf_eq0 negb_or mulr_ge0 ?trans_ge0 ?trans_power_ge0 // andbT.
by rewrite -IH /step_back !lt0r trans_ge0 trans_power_ge0 !andbT.
Qed.

(** With a power that has no 0 the next has none. *)
Lemma power_ergodic k : (forall h' h, 0 < trans_power m k.+1 h' h) -> irreducible m /\ aperiodic m.
Proof.
move=> pos; split=> [h h'|h d div]; first by exists k.+1.
have next_pos : 0 < trans_power m k.+2 h h.
  have := pos h h; rewrite !power_walk => /existsP[g /andP[hg _]].
  by apply: walk_cons hg _; rewrite -power_walk.
have /div dvd1 := pos h h; have /div dvd2 := next_pos.
by apply/eqP; rewrite -dvdn1 -(dvdn_addr 1 dvd1) addn1.
Qed.

End Powers.

Theorem rule_wielandt : statement_rule_wielandt.
Proof.
move=> R H X m; split=> [[irr aper] h' h|]; last exact: power_ergodic.
rewrite power_walk; apply: wielandt => [g f|g d div]; first by have [k] := irr f g; rewrite power_walk; exists k.
by apply: (aper g) => k; rewrite power_walk; exact: div.
Qed.

Theorem rule_pattern : statement_rule_pattern.
Proof.
move=> R H X m k l h' h; rewrite power_walk walkD.
by apply: eq_existsb => g; rewrite !power_walk.
Qed.
