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
(***************************************************************************)
EXTENDS Idle

CONSTANTS
  Submitters,    \* threads outside that push tasks
  Closers,       \* threads outside that close the scheduler
  PerSubmitter,  \* how many tasks each pushes
  Spawns,        \* how many tasks are spawned by running tasks
  LIFOCap,       \* how many tasks of the LIFO slot run in a row, 0: no slot
  Interval       \* after how many tasks inject comes first

ASSUME OutsideAssumption == Outside = Submitters \cup Closers

VARIABLES
  q,         \* the words that threads share, see Init
  me,        \* worker -> its local variables, see Fresh
  left,      \* submitter -> how many tasks it has left to push
  spawns,    \* how many spawns are left
  accepted,  \* how many tasks there are or were
  done,      \* how many have run
  row        \* history: worker -> how many tasks of its slot have run since
             \*   it looked elsewhere

rest == <<left, spawns, accepted, done>>
vars == <<idleVars, q, me, rest, row>>
idleRest == <<word, lock, sleepers, standing, token, loc>>

Fresh == [
  victims |-> {},     \* those that are left to be tried or looked at
  pass    |-> 0,      \* of two, over all victims
  at      |-> None,   \* the victim whose slot comes next, or that is robbed
  hand    |-> 0,      \* how many tasks it has taken and not published
  want    |-> 0,      \* how many a refill asks for
  run     |-> 0,      \* how many tasks of its slot have run in a row
  since   |-> 0]      \* how many tasks have run since inject came first

Init ==
  /\ IdleInit
  /\ pc = [t \in Threads |-> CASE t \in Workers -> "next"
                               [] t \in Submitters -> "submit"
                               [] t \in Closers -> "close"]
  /\ q = [inject |-> 0,                          \* tasks in inject
          shut   |-> FALSE,                      \* inject is closed
          closed |-> FALSE,                      \* the flag
          over   |-> FALSE,                      \* the flag
          ring   |-> [w \in Workers |-> 0],      \* visible tasks of a ring
          lifo   |-> [w \in Workers |-> 0],      \* tasks in a LIFO slot
          thief  |-> [w \in Workers |-> None]]   \* who steals from a ring
  /\ me = [w \in Workers |-> Fresh]
  /\ left = [s \in Submitters |-> PerSubmitter]
  /\ spawns = Spawns /\ accepted = 0 /\ done = 0
  /\ row = [w \in Workers |-> 0]

Others(w) == Workers \ {w}
Ceil(n) == n - n \div 2
Least(m, n) == IF m < n THEN m ELSE n
To(t, label) == pc' = [pc EXCEPT ![t] = label] /\ UNCHANGED <<idleRest, ret>>
Call(t, op, after) ==
  /\ pc' = [pc EXCEPT ![t] = op]
  /\ ret' = [ret EXCEPT ![t] = after]
  /\ UNCHANGED idleRest

(* The worker has a task to run. If it is counted as searching it is not   *)
(* any more; that may wake another worker.                                 *)
Found(w) == IF loc[w].counted THEN Call(w, "X1", "task") ELSE To(w, "task")
Ran(m) == [Fresh EXCEPT !.run = m.run, !.since = m.since + 1]
Idled(m) == [Fresh EXCEPT !.run = m.run, !.since = m.since]

-----------------------------------------------------------------------------
(* The worker's own places and inject *)
Due(w) == me[w].since = Interval

(* worker.next: after an interval inject comes first. *)
NextInject(w) ==
  /\ pc[w] = "next"
  /\ Due(w)
  /\ IF q.inject > 0
     THEN /\ q' = [q EXCEPT !.inject = @ - 1]
          /\ me' = [me EXCEPT ![w] = [Fresh EXCEPT !.since = 1]]
          /\ row' = [row EXCEPT ![w] = 0]
          /\ Found(w)
     ELSE /\ me' = [me EXCEPT ![w].since = 0]
          /\ To(w, "slot")
          /\ UNCHANGED <<q, row>>
  /\ UNCHANGED rest

SlotOpen(m) == m.run < LIFOCap

(* worker.takeLIFO: the task in the slot, unless too many came in a row.   *)
NextLIFO(w) ==
  /\ pc[w] = "slot" \/ (pc[w] = "next" /\ ~Due(w))
  /\ IF SlotOpen(me[w]) /\ q.lifo[w] > 0
     THEN /\ q' = [q EXCEPT !.lifo[w] = 0]
          /\ me' = [me EXCEPT ![w] = [Ran(@) EXCEPT !.run = @ + 1]]
          /\ row' = [row EXCEPT ![w] = @ + 1]
          /\ Found(w)
     ELSE /\ me' = [me EXCEPT ![w].run = 0]
          /\ To(w, "ring")
          /\ UNCHANGED <<q, row>>
  /\ UNCHANGED rest

(* worker.next: the oldest task of the ring. *)
NextRing(w) ==
  /\ pc[w] = "ring"
  /\ row' = [row EXCEPT ![w] = 0]
  /\ IF q.ring[w] > 0
     THEN /\ q' = [q EXCEPT !.ring[w] = @ - 1]
          /\ me' = [me EXCEPT ![w] = Ran(@)]
          /\ Found(w)
     ELSE To(w, "refill") /\ UNCHANGED <<q, me>>
  /\ UNCHANGED rest

(* worker.search: who is not let search does not.                          *)
Search(w, m) ==
  IF loc[w].counted
  THEN /\ me' = [me EXCEPT ![w] = [m EXCEPT !.victims = Others(w), !.pass = 1]]
       /\ To(w, IF Others(w) = {} THEN "again" ELSE "steal")
  ELSE /\ me' = [me EXCEPT ![w] = m]
       /\ Call(w, "E1", "tried")

(* worker.refill: load the length of inject. *)
RefillLen(w) ==
  /\ pc[w] = "refill"
  /\ IF q.inject = 0 THEN Search(w, Idled(me[w]))
     ELSE /\ me' = [me EXCEPT ![w].want = q.inject \div N + 1]
          /\ To(w, "refill pop")
  /\ UNCHANGED <<q, rest, row>>

(* worker.refill: take this worker's share. *)
RefillPop(w) ==
  /\ pc[w] = "refill pop"
  /\ LET n == Least(me[w].want, q.inject) IN
     /\ q' = [q EXCEPT !.inject = @ - n]
     /\ CASE n = 0 -> Search(w, Idled(me[w]))
          [] n = 1 -> me' = [me EXCEPT ![w] = Ran(@)] /\ Found(w)
          [] n > 1 -> me' = [me EXCEPT ![w] = [Idled(@) EXCEPT !.hand = n]]
                      /\ To(w, "refill push")
  /\ UNCHANGED <<rest, row>>

(* worker.refill: put all but one into the ring, and say so.               *)
RefillPush(w) ==
  /\ pc[w] = "refill push"
  /\ q' = [q EXCEPT !.ring[w] = @ + me[w].hand - 1]
  /\ me' = [me EXCEPT ![w] = Ran(@)]
  /\ IF loc[w].counted THEN Found(w) ELSE Call(w, "W1", "task")
  /\ UNCHANGED <<rest, row>>

(* The others *)

(* worker.search: let search, or not. *)
Tried(w) ==
  /\ pc[w] = "tried"
  /\ IF loc[w].counted THEN Search(w, me[w])
     ELSE To(w, "over") /\ UNCHANGED me
  /\ UNCHANGED <<q, rest, row>>

(* The next victim of the pass, the next pass, or what comes after them.   *)
NextVictim(w, v) ==
  LET m == [me[w] EXCEPT !.victims = @ \ {v}, !.at = None] IN
  CASE m.victims # {} -> me' = [me EXCEPT ![w] = m] /\ To(w, "steal")
    [] m.victims = {} /\ m.pass = 1 ->
         /\ me' = [me EXCEPT ![w] = [m EXCEPT !.victims = Others(w), !.pass = 2]]
         /\ To(w, "steal")
    [] OTHER -> me' = [me EXCEPT ![w] = Idled(m)] /\ To(w, "again")

(* worker.steal: claim half of a ring, or be told empty or busy.           *)
StealClaim(w) ==
  /\ pc[w] = "steal"
  /\ \E v \in me[w].victims :
       LET n == Ceil(q.ring[v]) IN
       IF n > 0 /\ q.thief[v] = None
       THEN /\ q' = [q EXCEPT !.ring[v] = @ - n, !.thief[v] = w]
            /\ me' = [me EXCEPT ![w] = [Idled(@) EXCEPT !.hand = n, !.at = v]]
            /\ To(w, "release")
       ELSE /\ UNCHANGED q
            /\ IF me[w].pass = 2
               THEN me' = [me EXCEPT ![w].at = v] /\ To(w, "steal slot")
               ELSE NextVictim(w, v)
  /\ UNCHANGED <<rest, row>>

(* worker.takeLIFO, by a thief, on the last pass. *)
StealSlot(w) ==
  /\ pc[w] = "steal slot"
  /\ LET v == me[w].at IN
     IF q.lifo[v] > 0
     THEN /\ q' = [q EXCEPT !.lifo[v] = 0]
          /\ me' = [me EXCEPT ![w] = Ran(@)]
          /\ Found(w)
     ELSE NextVictim(w, v) /\ UNCHANGED q
  /\ UNCHANGED <<rest, row>>

(* worker.steal: release the victim. *)
StealRelease(w) ==
  /\ pc[w] = "release"
  /\ q' = [q EXCEPT !.thief[me[w].at] = None]
  /\ IF me[w].hand = 1
     THEN me' = [me EXCEPT ![w] = Ran(@)] /\ Found(w)
     ELSE me' = [me EXCEPT ![w].at = None] /\ To(w, "bring")
  /\ UNCHANGED <<rest, row>>

(* worker.steal: bring all but one home. *)
StealBring(w) ==
  /\ pc[w] = "bring"
  /\ q' = [q EXCEPT !.ring[w] = @ + me[w].hand - 1]
  /\ me' = [me EXCEPT ![w] = Ran(@)]
  /\ Found(w)
  /\ UNCHANGED <<rest, row>>

(* worker.search: inject once more. *)
SearchInject(w) ==
  /\ pc[w] = "again"
  /\ IF q.inject > 0
     THEN /\ q' = [q EXCEPT !.inject = @ - 1]
          /\ me' = [me EXCEPT ![w] = Ran(@)]
          /\ Found(w)
     ELSE To(w, "over") /\ UNCHANGED <<q, me>>
  /\ UNCHANGED <<rest, row>>

(* Inside a task *)

(* Ctx.GoTask: load closed; closed: refused. *)
Spawn(w) ==
  /\ pc[w] = "task"
  /\ spawns > 0
  /\ ~q.closed
  /\ spawns' = spawns - 1 /\ accepted' = accepted + 1
  /\ To(w, "spawn")
  /\ UNCHANGED <<q, me, left, done, row>>

(* worker.spawn: swap it into the slot; that wakes nobody.                 *)
SpawnSwap(w) ==
  /\ pc[w] = "spawn"
  /\ SlotOpen(me[w])
  /\ q' = [q EXCEPT !.lifo[w] = 1]
  /\ To(w, IF q.lifo[w] = 0 THEN "task" ELSE "push")
  /\ UNCHANGED <<me, rest, row>>

(* worker.spawn: push it, or what it has displaced, and say so.            *)
SpawnPush(w) ==
  /\ pc[w] = "push" \/ (pc[w] = "spawn" /\ ~SlotOpen(me[w]))
  /\ q' = [q EXCEPT !.ring[w] = @ + 1]
  /\ Call(w, "W1", "task")
  /\ UNCHANGED <<me, rest, row>>

(* worker.finish *)
Finish(w) ==
  /\ pc[w] = "task"
  /\ done' = done + 1
  /\ To(w, "next")
  /\ UNCHANGED <<q, me, left, spawns, accepted, row>>

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

(* Scheduler.pending, T6: inject first, then the rings, each by one load.  *)
Look(w) ==
  /\ pc[w] = "T6"
  /\ UNCHANGED <<word, lock, sleepers, standing, token>>
  /\ \E v \in Workers :
       LET first == me[w].pass = 1
           found == IF first THEN q.inject > 0 ELSE q.ring[v] > 0
           rings == IF first THEN Workers ELSE me[w].victims \ {v} IN
       /\ IF first THEN v = CHOOSE u \in Workers : TRUE ELSE v \in me[w].victims
       /\ IF found \/ rings = {}
          THEN me' = [me EXCEPT ![w] = Idled(@)]
          ELSE me' = [me EXCEPT ![w].victims = rings, ![w].pass = 0]
       /\ CASE found -> Go(w, "W1", Nil) /\ Stay(w)
            [] ~found /\ rings = {} -> End(w, FALSE)
            [] OTHER -> UNCHANGED <<pc, loc, ret>>
  /\ UNCHANGED <<q, rest, row>>

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
  \/ Tried(w) \/ StealClaim(w) \/ StealSlot(w) \/ StealRelease(w)
  \/ StealBring(w) \/ SearchInject(w) \/ SpawnSwap(w) \/ SpawnPush(w)
  \/ Over(w) \/ ParkUnlock(w) \/ Look(w)
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
