---------------------------- MODULE RingBondBugs -----------------------------
(***************************************************************************)
(* The wrong versions of RingQueue, for TLC to print the graphs of:        *)
(* the cfgs in broken/ name them, and none of the graphs is the code's.    *)
(***************************************************************************)
EXTENDS RingBond, RingQueueBugs
==============================================================================
