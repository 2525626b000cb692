-------------------------------- MODULE Sched --------------------------------
(***************************************************************************)
(* The workers of package sched: where they look for tasks, how they go to *)
(* sleep and are woken, and how they end. Tasks are alike, so queues are   *)
(* numbers: what a ring does as a queue is RingQueue's, which implements   *)
(* StealQueue, and what Inject does is its own. What others can see of     *)
(* their steps is here: a thief holds stolen tasks, and the victim, until  *)
(* it has released and brought them home; a second thief is told busy; a   *)
(* refill holds tasks before it publishes them. Rings are never full here. *)
(*                                                                         *)
(* There is one action for each operation on a queue, a slot or a flag;    *)
(* Idle has those of package idle. An action is named after the function   *)
(* of package sched that takes it, and its comment names that. A task may  *)
(* spawn others, run as long as it likes, and end.                         *)
(*                                                                         *)
(* The order of sources is that of Tokio's multi-thread scheduler          *)
(* (tokio/src/runtime/scheduler/multi_thread/worker.rs, 1.53); that slots  *)
(* can be stolen on the last pass, that a refill wakes, and who looks      *)
(* before it sleeps, are filch's own: package documentation of sched.      *)
(*                                                                         *)
(* Module SchedWork has the variables, and how a worker comes to a task;   *)
(* here is how it sleeps and ends, and what threads outside do.            *)
(***************************************************************************)
EXTENDS SchedWork

(* Sleeping *)

(* worker.serve: load over; no: sleep. *)
Over(w) ==
  /\ pc[w] = "over"
  /\ IF ~q.over THEN Call(w, "T2", "slept")
     ELSE IF loc[w].counted THEN Call(w, "X1", "gone")
     ELSE To(w, "gone")
  /\ UNCHANGED <<q, me, rest, row>>

ParkUnlock(w) ==
  /\ ParkT5(w, "T6")
  /\ me' = [me EXCEPT ![w].victims = IF loc[w].look THEN Workers ELSE {},
                      ![w].pass = IF loc[w].look THEN 1 ELSE 0]
  /\ UNCHANGED <<q, rest, row>>

(* Scheduler.pending, T6: load the length of inject. *)
LookInject(w) ==
  /\ pc[w] = "T6" /\ me[w].pass = 1
  /\ IF q.inject > 0
     THEN me' = [me EXCEPT ![w] = Idled(@)] /\ Go(w, "W1", Nil)
     ELSE me' = [me EXCEPT ![w].pass = 0] /\ UNCHANGED <<pc, loc>>
  /\ UNCHANGED <<word, lock, sleepers, standing, token, ret, q, rest, row>>

(* Scheduler.pending, T6: then the rings, one after the other.             *)
LookRing(w, v) ==
  /\ pc[w] = "T6" /\ me[w].pass = 0
  /\ v \in me[w].victims
  /\ LET others == me[w].victims \ {v} IN
     /\ me' = [me EXCEPT ![w] =
          IF q.ring[v] > 0 \/ others = {} THEN Idled(@)
               ELSE [@ EXCEPT !.victims = others]]
     /\ CASE q.ring[v] > 0 -> Go(w, "W1", Nil) /\ Stay(w)
          [] q.ring[v] = 0 /\ others = {} -> End(w, FALSE)
          [] OTHER -> UNCHANGED <<pc, loc, ret>>
  /\ UNCHANGED <<word, lock, sleepers, standing, token, q, rest, row>>

(* worker.sleep: load over; yes: wake yourself. *)
SleptOver(w) ==
  /\ pc[w] = "slept"
  /\ IF q.over THEN Call(w, "V1", "asleep") ELSE To(w, "slept closed")
  /\ UNCHANGED <<q, me, rest, row>>

WakeSelf(w) ==
  /\ pc[w] = "V1" /\ WakeWorkerV1(w, w)
  /\ UNCHANGED <<q, me, rest, row>>

(* worker.sleep: load closed. *)
SleptClosed(w) ==
  /\ pc[w] = "slept closed" /\ To(w, IF q.closed THEN "drained" ELSE "asleep")
  /\ UNCHANGED <<q, me, rest, row>>

(* Scheduler.drained: load the length of inject. *)
DrainedLen(w) ==
  /\ pc[w] = "drained" /\ To(w, IF q.inject = 0 THEN "drained count" ELSE "asleep")
  /\ UNCHANGED <<q, me, rest, row>>

(* Scheduler.drained: load the word: whether everyone sleeps.              *)
DrainedCount(w) ==
  /\ pc[w] = "drained count" /\ To(w, IF word.unparked = 0 THEN "end" ELSE "asleep")
  /\ UNCHANGED <<q, me, rest, row>>

(* Scheduler.end: store over, and wake all. *)
EndOver(w) ==
  /\ pc[w] = "end"
  /\ q' = [q EXCEPT !.over = TRUE]
  /\ Call(w, "A1", "asleep")
  /\ UNCHANGED <<me, rest, row>>

(* Parker.Park *)
Sleep(w) ==
  /\ pc[w] = "asleep" /\ token[w]
  /\ token' = [token EXCEPT ![w] = FALSE]
  /\ Go(w, "F1", Nil)
  /\ ret' = [ret EXCEPT ![w] = "next"]
  /\ UNCHANGED <<word, lock, sleepers, standing, q, me, rest, row>>

-----------------------------------------------------------------------------
(* Outside *)

(* Scheduler.submit: push to inject, and say so; closed: refused.          *)
Submit(s) ==
  /\ pc[s] = "submit"
  /\ left[s] > 0
  /\ left' = [left EXCEPT ![s] = @ - 1]
  /\ IF q.shut
     THEN To(s, "submit") /\ UNCHANGED <<q, accepted>>
     ELSE /\ q' = [q EXCEPT !.inject = @ + 1]
          /\ accepted' = accepted + 1
          /\ Call(s, "W1", "submit")
  /\ UNCHANGED <<me, spawns, done, row>>

(* Scheduler.stop: close inject. *)
CloseInject(c) ==
  /\ pc[c] = "close"
  /\ q' = [q EXCEPT !.shut = TRUE]
  /\ To(c, "close flag")
  /\ UNCHANGED <<me, rest, row>>

(* Scheduler.stop: store closed, and wake all. *)
CloseFlag(c) ==
  /\ pc[c] = "close flag"
  /\ q' = [q EXCEPT !.closed = TRUE]
  /\ Call(c, "A1", "closed")
  /\ UNCHANGED <<me, rest, row>>

-----------------------------------------------------------------------------
OfIdle(t) ==
  /\ \/ Within(t)
     \/ ResumeF4(t, "asleep")
     \/ pc[t] = "A1" /\ WakeAllA1(t)
  /\ UNCHANGED <<q, me, rest, row>>

(* What the worker does of itself; that a task spawns is its own affair.   *)
Goes(w) ==
  \/ NextInject(w) \/ NextLIFO(w) \/ NextRing(w)
  \/ RefillLen(w) \/ RefillPop(w) \/ RefillPush(w)
  \/ Tried(w) \/ (\E v \in me[w].victims : StealClaim(w, v)) \/ StealSlot(w) \/ StealRelease(w)
  \/ StealBring(w) \/ SearchInject(w) \/ SpawnSwap(w) \/ SpawnPush(w)
  \/ Over(w) \/ ParkUnlock(w) \/ LookInject(w)
  \/ (\E v \in me[w].victims : LookRing(w, v))
  \/ SleptOver(w) \/ WakeSelf(w) \/ SleptClosed(w) \/ DrainedLen(w)
  \/ DrainedCount(w) \/ EndOver(w) \/ Sleep(w) \/ OfIdle(w)

OutsideStep(t) ==
  \/ t \in Submitters /\ Submit(t)
  \/ t \in Closers /\ (CloseInject(t) \/ CloseFlag(t))
  \/ OfIdle(t)

Next ==
  \/ \E w \in Workers : Goes(w) \/ Spawn(w) \/ Finish(w)
  \/ \E t \in Outside : OutsideStep(t)

Spec == Init /\ [][Next]_vars
=============================================================================
