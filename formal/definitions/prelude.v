(** What all files are written in: MathComp, its theory of ordered fields, and Coq's integers and rational numbers. *)

From Coq Require Export QArith.
From mathcomp Require Export all_ssreflect all_algebra.

#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.

Export Order.Theory GRing.Theory Num.Theory.
Global Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.
Delimit Scope Q_scope with coqQ.
