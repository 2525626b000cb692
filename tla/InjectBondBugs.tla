--------------------------- MODULE InjectBondBugs ----------------------------
(***************************************************************************)
(* The wrong versions of Inject, for TLC to print the graphs of:           *)
(* the cfgs in broken/ name them, and none of the graphs is the code's.    *)
(***************************************************************************)
EXTENDS InjectBond, InjectBugs
==============================================================================
