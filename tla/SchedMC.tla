------------------------------- MODULE SchedMC -------------------------------
(***************************************************************************)
(* What packages idle and sched claim, of Sched. The names are those of    *)
(* package model, which has a sentence for each.                           *)
(***************************************************************************)
EXTENDS Sched, TLC

CONSTANTS a, b, c, x, y, z   \* the threads

(* Workers are alike, and so are submitters: of states that differ only in *)
(* who is who one is enough for claims that are invariants.                *)
Alike == Permutations(Workers) \cup Permutations(Submitters)

TypeOK ==
  /\ IdleTypeOK
  /\ q.inject \in Nat /\ q.ring \in [Workers -> Nat] /\ q.lifo \in [Workers -> 0..1]
  /\ q.thief \in [Workers -> Workers \cup {None}]
  /\ \A w \in Workers : DOMAIN me[w] = DOMAIN Fresh

Asleep(w) == pc[w] = "asleep" /\ ~token[w]
Waiting == q.inject > 0 \/ \E w \in Workers : q.ring[w] > 0
(* Nobody outside is in the middle of a push or a wake.                    *)
Calm == \A t \in Outside : pc[t] \in {"submit", "close", "close flag", "closed"}

(* Never: a task queued, every worker parked without a token, no push or   *)
(* wake unfinished.                                                        *)
NoLostWakeup == ~(Waiting /\ Calm /\ \A w \in Workers : Asleep(w))

(* Never: a task in a ring or in inject, some worker parked without a      *)
(* token, every other worker inside a task, no push or wake unfinished.    *)
(* What is in LIFO slots is not covered: NeverSlotWaits is a witness.      *)
WorkConserving ==
  ~(/\ Waiting
    /\ Calm
    /\ \E w \in Workers : Asleep(w)
    /\ \A w \in Workers : Asleep(w) \/ pc[w] = "task")

(* Tasks of the LIFO slot run in a row.                                    *)
LIFOBounded == \A w \in Workers : row[w] <= LIFOCap

(* Tasks run before the worker looks at inject.                            *)
InjectBounded == \A w \in Workers : me[w].since <= Interval

(* A worker that has left leaves no task anywhere, queued or running.      *)
ShutdownDrains ==
  (\E w \in Workers : pc[w] = "gone") =>
    /\ ~Waiting
    /\ done = accepted
    /\ \A w \in Workers : q.lifo[w] = 0 /\ me[w].hand = 0

-----------------------------------------------------------------------------
(* Everyone goes on, but tasks may run for ever.                           *)
Fair ==
  /\ \A w \in Workers : WF_vars(Goes(w))
  /\ \A t \in Outside : WF_vars(OutsideStep(t))
LongSpec == Spec /\ Fair

(* Every task ends. *)
FairSpec == LongSpec /\ \A w \in Workers : WF_vars(Finish(w))

(* Under FairSpec *)

(* Every task that was accepted runs.                                      *)
EveryTaskRuns == \A n \in 1..PerSubmitter * Cardinality(Submitters) + Spawns :
  accepted >= n ~> done >= n

(* Once nothing comes any more all workers sleep, or have left.            *)
Quiet == \A w \in Workers : Asleep(w) \/ pc[w] = "gone"
NoIdleSpin == <>[]Quiet

(* Once the scheduler is closed every worker leaves.                       *)
ShutdownWakes ==
  (\E t \in Closers : pc[t] = "closed") ~> (\A w \in Workers : pc[w] = "gone")

(* Under LongSpec: a task that can be taken is taken, though others run    *)
(* for ever, as long as a worker sleeps.                                   *)
Conserved ==
  (Waiting /\ \E w \in Workers : Asleep(w)) ~>
    (~Waiting \/ ~\E w \in Workers : Asleep(w))

-----------------------------------------------------------------------------
(* Witnesses *)
NeverSlotWaits ==
  ~(/\ \E w \in Workers : q.lifo[w] > 0 /\ pc[w] = "task"
    /\ \E w \in Workers : Asleep(w)
    /\ Calm)
NeverRobbed == ~ \E w \in Workers : pc[w] = "steal" /\
  \E v \in me[w].victims : q.thief[v] # None /\ q.thief[v] # w
NeverOver == ~q.over
=============================================================================
