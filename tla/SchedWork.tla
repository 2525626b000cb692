------------------------------ MODULE SchedWork ------------------------------
(***************************************************************************)
(* What the workers of package sched have, and where they look for tasks:  *)
(* the first half of module Sched, which see.                              *)
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

(* worker.steal: claim half of what was visible of a ring when its tail    *)
(* was loaded, or be told empty or busy. The owner may have pushed since,  *)
(* but neither popped nor met a thief, or the CAS fails: so it can be any  *)
(* number of tasks up to half of those there are now.                      *)
StealClaim(w, v) ==
  /\ pc[w] = "steal"
  /\ v \in me[w].victims
  /\ IF q.ring[v] > 0 /\ q.thief[v] = None
     THEN \E n \in 1..Ceil(q.ring[v]) :
            /\ q' = [q EXCEPT !.ring[v] = @ - n, !.thief[v] = w]
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
=============================================================================
