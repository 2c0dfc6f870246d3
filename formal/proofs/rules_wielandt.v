(** Rules of the certificate format: a power of A without a 0 shows ergodicity (section 4). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules.
From Headproof Require Import proofs.paths proofs.linear proofs.entered.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Powers.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

Lemma trans_powerS_gt0 k h' h :
  (0 < trans_power m k.+1 h' h) = [exists g, 0 < trans m h' g * trans_power m k g h].
Proof. by rewrite sum_gt0 // => g; rewrite mulr_ge0 ?trans_ge0 ?trans_power_ge0. Qed.

(** Where a power without a 0 has exponent k + 1, the next power has no 0 either. *)
Lemma next_power_gt0 k : (forall h h', 0 < trans_power m k.+1 h' h) -> forall h h', 0 < trans_power m k.+2 h' h.
Proof.
move=> pos h h'; have := pos h h'; rewrite trans_powerS_gt0 => /existsP[g gt0].
rewrite trans_powerS_gt0; apply/existsP; exists g; rewrite mulr_gt0 //.
by rewrite lt_neqAle trans_ge0 eq_sym andbT; apply: contraTneq gt0 => ->; rewrite mul0r ltxx.
Qed.

Lemma power_ergodic k : (forall h h', 0 < trans_power m k.+1 h' h) -> irreducible m /\ aperiodic m.
Proof.
move=> pos; split=> [h h'|h d div]; first by exists k.+1.
have /div dvd1 := pos h h; have /div dvd2 := next_power_gt0 pos h h.
by apply/eqP; rewrite -dvdn1 -(dvdn_addr 1 dvd1) addn1.
Qed.

End Powers.

Theorem rule_wielandt_sufficient : statement_rule_wielandt_sufficient.
Proof. by move=> R H X m; exact: power_ergodic. Qed.
