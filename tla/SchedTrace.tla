------------------------------ MODULE SchedTrace ------------------------------
(***************************************************************************)
(* Whether a run of the real scheduler is a behaviour of Sched. The run is *)
(* Trace, of module SchedTraceData: a sequence of events, each made of     *)
(* what was recorded of an atomic operation, or of a call, at the moment   *)
(* when it took effect. Package trace makes them, and says of which        *)
(* operation in the code each is.                                          *)
(*                                                                         *)
(* An event is <<name, thread, ...>>, with what the thread has seen or     *)
(* left: that must be what Sched's variables have. Explained has for each  *)
(* event the action that it is, and Expects which events a thread can come *)
(* to next. Three actions leave no event, as they touch nothing that is    *)
(* shared: see Unseen. So there is one action for each event, and TLC goes *)
(* along a line. If it comes to the end, the run is one of Sched's; if it  *)
(* stops before, no action explains the next event, and Stuck prints what  *)
(* would have been possible.                                               *)
(*                                                                         *)
(* There may be several runs, one behind the other; Starts has where each  *)
(* begins, and End is the last event of each.                              *)
(*                                                                         *)
(* The claims of SchedMC are checked along the way, of the real run.       *)
(***************************************************************************)
EXTENDS SchedMC, SchedTraceData

VARIABLE next   \* the number of the next event; below 0: there is none

traceVars == <<vars, next>>

More == next > 0
Event == Trace[next]

(* What is next for a thread, by the names of events.                      *)
ByLabel == [
  W1 |-> {"WakeW1"}, W2 |-> {"WakeW2"}, W4 |-> {"WakeW4"},
  W4cas |-> {"WakeW4CAS"}, W6 |-> {"WakeW6"}, W7 |-> {"Unpark"},
  T2 |-> {"ParkT2"}, T3 |-> {"ParkT3"}, T5 |-> {"ParkT5"},
  E1 |-> {"SearchE1"}, E2 |-> {"SearchE2"}, X1 |-> {"StopX1"},
  F1 |-> {"ResumeF1"}, F4 |-> {"ResumeF4"},
  V1 |-> {"WakeWorkerV1"}, V2 |-> {"Excuse"}, V3 |-> {"WakeWorkerV3"},
  A1 |-> {"WakeAllA1"}, A2 |-> {"Excuse"}, A5 |-> {"WakeAllA5"},
  A6 |-> {"Unpark"},
  slot |-> {"SlotTake"}, ring |-> {"RingPop"}, refill |-> {"InjectLen"},
  steal |-> {"StealClaim", "StealEmpty", "StealBusy"},
  release |-> {"StealRelease"}, bring |-> {"StealBring"},
  again |-> {"InjectPop"}, push |-> {"RingPush"}, over |-> {"Over"},
  slept |-> {"Over"}, drained |-> {"InjectLen"}, end |-> {"EndOver"},
  asleep |-> {"Sleep"}, submit |-> {"Submit", "SubmitRefused"},
  close |-> {"CloseInject"}, gone |-> {}, closed |-> {}]

FirstSource(w) == IF Due(w) THEN {"InjectPop"}
                  ELSE IF SlotOpen(me[w]) THEN {"SlotTake"} ELSE {"RingPop"}

Expects(t) ==
  CASE pc[t] = "next"          -> FirstSource(t)
    [] pc[t] = "task"          -> FirstSource(t) \cup {"Closed"}
    [] pc[t] = "refill pop"    -> {"InjectPop"}
    [] pc[t] = "refill push"   -> {"RefillPush"}
    [] pc[t] = "steal slot"    -> {"SlotTake"}
    [] pc[t] = "spawn"         -> IF SlotOpen(me[t]) THEN {"SlotSwap"}
                                  ELSE {"RingPush"}
    [] pc[t] = "slept closed"  -> {"Closed"}
    [] pc[t] = "drained count" -> {"Counts"}
    [] pc[t] = "close flag"    -> {"CloseFlag"}
    [] pc[t] = "T6"            -> IF me[t].pass = 1 THEN {"InjectLen"}
                                  ELSE {"LookRing"}
    [] pc[t] = "tried"         -> {"Over", "StealClaim", "StealEmpty", "StealBusy"}
    [] OTHER                   -> ByLabel[pc[t]]

(* Actions without an event, before the event of thread t: it was let      *)
(* search or not; it passes its slot over, since too many tasks of it ran  *)
(* in a row; its task has ended.                                           *)
Passes(t) == pc[t] \in {"next", "slot"} /\ ~(pc[t] = "next" /\ Due(t)) /\ ~SlotOpen(me[t])
Ends(t) == pc[t] = "task" /\ Event[1] # "Closed"
HasUnseen(t) == t \in Workers /\ (pc[t] = "tried" \/ Passes(t) \/ Ends(t))
Unseen(t) ==
  CASE pc[t] = "tried" -> Tried(t)
    [] Passes(t)       -> NextLIFO(t)
    [] Ends(t)         -> Finish(t)

-----------------------------------------------------------------------------
(* The actions that the events are *)

Counted(k) == [searching |-> Event[k], unparked |-> Event[k + 1]]
AsSeen(t) == Event[5] = (word = loc[t].seen) /\ loc[t].seen = Counted(3)

IdleEvent(t, e) ==
  CASE e[1] \in {"WakeW1", "WakeW4", "SearchE1"} ->
         word = Counted(3) /\ OfIdle(t)
    [] e[1] \in {"WakeW4CAS", "SearchE2"} -> AsSeen(t) /\ OfIdle(t)
    [] e[1] \in {"ParkT3", "StopX1", "Excuse"} ->
         OfIdle(t) /\ word' = Counted(3)
    [] e[1] = "Unpark" ->
         /\ loc[t].woken[1] = e[3] /\ token[e[3]] = e[4]
         /\ OfIdle(t)
    [] e[1] = "ParkT5"       -> ParkUnlock(t)
    [] e[1] = "WakeWorkerV1" -> WakeSelf(t)
    [] OTHER                 -> OfIdle(t)

InjectEvent(t, e) ==
  CASE e[1] = "Submit" -> Submit(t) /\ ~q.shut /\ q'.inject = e[3]
    [] e[1] = "SubmitRefused" -> Submit(t) /\ q.shut
    [] e[1] = "CloseInject" -> CloseInject(t)
    [] e[1] = "InjectLen" ->
         /\ q.inject = e[3]
         /\ CASE pc[t] = "refill" -> RefillLen(t)
              [] pc[t] = "drained" -> DrainedLen(t)
              [] OTHER -> LookInject(t)
    [] e[1] = "InjectPop" ->
         /\ CASE pc[t] = "next" -> NextInject(t)
              [] pc[t] = "refill pop" -> RefillPop(t)
              [] OTHER -> SearchInject(t)
         /\ q.inject - q'.inject = e[3] /\ q'.inject = e[4]

(* Of the victim v, or of the worker's own ring or slot.                   *)
QueueEvent(t, e) ==
  CASE e[1] = "RingPop" ->
         NextRing(t) /\ (q.ring[t] > 0) = e[3] /\ q'.ring[t] = e[4]
    [] e[1] = "RefillPush" ->
         RefillPush(t) /\ me[t].hand - 1 = e[3] /\ q'.ring[t] = e[4]
    [] e[1] = "RingPush" -> SpawnPush(t) /\ q'.ring[t] = e[3]
    [] e[1] = "SlotSwap" -> SpawnSwap(t) /\ (q.lifo[t] = 1) = e[3]
    [] e[1] = "SlotTake" ->
         /\ (q.lifo[e[3]] = 1) = e[4]
         /\ IF pc[t] = "steal slot" THEN me[t].at = e[3] /\ StealSlot(t)
            ELSE t = e[3] /\ NextLIFO(t)
    [] e[1] = "StealClaim" ->
         /\ StealClaim(t, e[3])
         /\ me'[t].at = e[3] /\ me'[t].hand = e[4] /\ q'.ring[e[3]] = e[5]
    [] e[1] = "StealEmpty" -> q.ring[e[3]] = 0 /\ StealClaim(t, e[3])
    [] e[1] = "StealBusy"  -> q.thief[e[3]] # None /\ StealClaim(t, e[3])
    [] e[1] = "StealRelease" -> me[t].at = e[3] /\ StealRelease(t)
    [] e[1] = "StealBring" ->
         StealBring(t) /\ me[t].hand - 1 = e[3] /\ q'.ring[t] = e[4]
    [] e[1] = "LookRing" ->
         (q.ring[e[3]] > 0) = e[4] /\ LookRing(t, e[3])

FlagEvent(t, e) ==
  CASE e[1] = "Closed" ->
         /\ q.closed = e[3]
         /\ CASE pc[t] = "slept closed" -> SleptClosed(t)
              [] pc[t] = "task" /\ ~q.closed -> Spawn(t)
              [] OTHER -> UNCHANGED vars   \* the spawn is refused
    [] e[1] = "Over" ->
         q.over = e[3] /\ IF pc[t] = "over" THEN Over(t) ELSE SleptOver(t)
    [] e[1] = "Counts"    -> word = Counted(3) /\ DrainedCount(t)
    [] e[1] = "EndOver"   -> EndOver(t)
    [] e[1] = "CloseFlag" -> CloseFlag(t)
    [] e[1] = "Sleep"     -> Sleep(t)

OfInject == {"Submit", "SubmitRefused", "CloseInject", "InjectLen", "InjectPop"}
OfQueues == {"RingPop", "RefillPush", "RingPush", "SlotSwap", "SlotTake",
  "StealClaim", "StealEmpty", "StealBusy", "StealRelease", "StealBring", "LookRing"}
OfFlags == {"Closed", "Over", "Counts", "EndOver", "CloseFlag", "Sleep"}

(* After the last event nothing is left to be done.                        *)
Ended ==
  /\ \A w \in Workers : pc[w] = "gone"
  /\ \A k \in Closers : pc[k] = "closed"
  /\ \A s \in Submitters : pc[s] = "submit"
  /\ done = accepted /\ ~Waiting

Explained(t, e) ==
  /\ e[1] \in Expects(t)
  /\ CASE e[1] \in OfInject -> InjectEvent(t, e)
       [] e[1] \in OfQueues -> QueueEvent(t, e)
       [] e[1] \in OfFlags  -> FlagEvent(t, e)
       [] OTHER             -> IdleEvent(t, e)

TraceStep ==
  /\ More
  /\ LET t == Event[2] IN
     IF Event[1] = "End"
     THEN Ended /\ next' = -next /\ UNCHANGED vars
     ELSE IF HasUnseen(t)
     THEN Unseen(t) /\ UNCHANGED next
     ELSE Explained(t, Event) /\ next' = next + 1

TraceSpec == Init /\ next \in Starts /\ [][TraceStep]_traceVars

-----------------------------------------------------------------------------
(* What TLC is to print: that it came to the end, or why not.              *)

AtTheEnd == More \/ PrintT(<<"explained to the end", -next>>)

Stuck ==
  \/ ~More
  \/ ENABLED TraceStep
  \/ LET t == Event[2]
         of(f) == IF t \in DOMAIN f THEN f[t] ELSE "-" IN
     PrintT(<<"no action explains event", next,
       [expects |-> IF t \in Threads THEN Expects(t) ELSE {}, pc |-> pc,
        me |-> of(me), loc |-> of(loc), word |-> word, lock |-> lock,
        sleepers |-> sleepers, standing |-> standing, token |-> token, q |-> q,
        accepted |-> accepted, done |-> done]>>)
=============================================================================
