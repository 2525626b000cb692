----------------------------- MODULE RingQueueMC -----------------------------
(***************************************************************************)
(* RingQueue made finite, and its refinement of StealQueue. The .cfg       *)
(* files beside this module choose who pushes and who steals; what they    *)
(* need besides plain values is defined here.                              *)
(***************************************************************************)
EXTENDS RingQueueClaims

CONSTANTS a, b, c   \* the workers

(* Setups *)
AllEmpty == [w \in Workers |-> <<>>]

-----------------------------------------------------------------------------
(* StealQueue's variables as functions of the words of the rings. The      *)
(* history variables queue and due are not used: that they agree with the  *)
(* words is FIFO, and that the words mean a queue is checked here.         *)

At(w, i, n) == [k \in 1..n |-> slots[w][Slot(Plus(i, k - 1))]]

QueueBar == [w \in Workers |-> At(w, head[w].real, Length(w))]

DoingBar == [w \in Workers |->
  CASE pc[w] \in {"P1", "P4", "P5", "O1", "B4", "B5"} -> "push"
    [] pc[w] \in {"P1over", "O3", "O3hand"} -> "spill"
    [] pc[w] = "O2" -> "overflow"
    [] pc[w] = "L5" -> "pop"
    [] pc[w] \in {"S6", "S7", "S7load"} -> "steal"
    [] pc[w] = "S9" -> "bring"
    [] OTHER -> "nothing"]

HandBar == [w \in Workers |->
  LET l == loc[w]
      t == tail[w] IN
  CASE pc[w] \in {"P1", "P1over", "P4", "O1"} -> <<l.task>>
    [] pc[w] = "P5" -> At(w, t, 1)
    [] pc[w] = "O2" -> Append(At(w, t, Cap), l.task)
    [] pc[w] = "O3" -> l.batch \o Append(
         At(w, Plus(t, Len(l.batch)), Half - Len(l.batch)), l.task)
    [] pc[w] = "O3hand" -> Append(l.batch, l.task)
    [] pc[w] \in {"B4", "B5"} -> l.batch
    [] pc[w] = "L5" -> At(w, l.index, 1)
    [] pc[w] = "S6" -> At(w, t, l.moved) \o
         At(l.victim, Plus(l.index, l.moved), l.count - l.moved)
    [] pc[w] \in {"S7", "S7load", "S9"} -> Append(At(w, t, l.count - 1), l.last)
    [] OTHER -> <<>>]

ThiefBar == [v \in Workers |->
  IF ThievesOn(v) = {} THEN None ELSE CHOOSE w \in ThievesOn(v) : TRUE]

Abstract == INSTANCE StealQueue WITH
  queue <- QueueBar, doing <- DoingBar, hand <- HandBar, thief <- ThiefBar

Refines == Abstract!Spec

THEOREM Spec => Abstract!Spec

-----------------------------------------------------------------------------
(* Nobody waits for anybody: with the scheduler fair to each worker, every *)
(* call returns. The tasks of a model run out, so it has no endless run of *)
(* failed CASes.                                                           *)
Continue(w) == pc[w] # "idle" /\ Step(w)
FairSpec == Spec /\ \A w \in Workers : WF_vars(Continue(w))
EveryCallReturns == \A w \in Workers : pc[w] # "idle" ~> pc[w] = "idle"

-----------------------------------------------------------------------------
(* Witnesses. Each of these is false, and TLC has to find the state that   *)
(* shows it: a model in which no thief is ever told busy would say nothing *)
(* about busy. That every action is taken is seen from TLC's coverage.     *)
NeverBusy == ~ \E w \in Workers :
  pc[w] = "S1" /\ Active(head[loc[w].victim])
NeverEmpty == ~ \E w \in Workers :
  pc[w] = "S2" /\ SaysEmpty(Minus(tail[loc[w].victim], loc[w].head.real))
NeverStale == ~ \E w \in Workers :
  pc[w] = "S2" /\ IsStale(Minus(tail[loc[w].victim], loc[w].head.real))
NeverNoRoom == ~ \E w \in Thieves :
  pc[w] = "idle" /\ ~MayReceive(tail[w], head[w])
NeverRivals == ~ \E w, u \in Workers :
  w # u /\ pc[w] = "S5" /\ pc[u] = "S5" /\ loc[w] = loc[u]
NeverWraps == ~ \E w \in Workers : tail[w] < Start /\ head[w].real < Start
=============================================================================

What TLC says of the models that hold; README.md tells what they are.

model             distinct  generated  depth
OwnerThief           13141      26762     56
Symmetric            73466     156807     40
Wrap                 73466     156807     40
TwoThieves           64756     202832     43
Batch                14218      29276     48
Refines              13882      28512     50
RefinesSymmetric     18769      40065     34
Returns              18769      40065     34
OwnerThiefLong      221823     455878     82
SymmetricLong      1025454    2189067     52
SymmetricFour       597238    1276275     57
TwoThievesFour      760152    2398020     63
RefinesLong         134946     289313     46
