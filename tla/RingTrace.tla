------------------------------ MODULE RingTrace ------------------------------
(***************************************************************************)
(* Whether a run of the real rings is a behaviour of RingQueue. The run is *)
(* Trace, of module RingTraceData: a sequence of events, one for each      *)
(* operation on an atomic word and each access to a slot, in the order in  *)
(* which they were done, and one for each call and what it has returned.   *)
(* Package trace makes them, and says of which operation in the code each  *)
(* is.                                                                     *)
(*                                                                         *)
(* An event is <<name, worker, ...>>, with all that the operation has read *)
(* and written:                                                            *)
(*   a load of head     ring, steal, real                                  *)
(*   a CAS of head      ring, steal, real, new steal, new real, succeeded  *)
(*   tail, either way   ring, tail                                         *)
(*   a slot             ring, slot, task, or 0 for none                    *)
(*   "Call"             "push" 1, "pop" 0, "batch" n, "steal" victim       *)
(*   "Return"           "done", "task", "empty", "busy" or "no room",      *)
(*                      the task or 0, how many were taken or 0            *)
(*   "Over"             the tasks that the overflow was given              *)
(* A ring has the name of its owner. Every event but those is an action of *)
(* the same name. "Take" is the action that reads a slot: PopL5, PushO3 or *)
(* StealS6. It clears the slot, and StealS6 writes to the thief's as well: *)
(* these are events of their own, "Clear" and "Bring", which must follow,  *)
(* with nothing of the same worker in between. "Over" is PushP1Over or     *)
(* PushO3Hand.                                                             *)
(*                                                                         *)
(* So there is one action for each event, and TLC goes along a line, as in *)
(* SchedTrace. The claims of RingQueueMC are checked along the way.        *)
(***************************************************************************)
EXTENDS RingQueueClaims, RingTraceData, Integers, TLC

VARIABLES
  next,     \* the number of the next event; below 0: there is none
  call,     \* worker -> what it has called, and has not begun; or <<>>
  answer,   \* worker -> what its call must return; <<>> until that is known
  left      \* worker -> the accesses to slots that must come next

traceVars == <<vars, next, call, answer, left>>

More == next > 0
Event == Trace[next]
NoTasks == [w \in Workers |-> <<>>]

Number(x) == IF x = None THEN 0 ELSE x

ByLabel == [
  P1 |-> {"PushP1Again"}, P1over |-> {"Over"}, P4 |-> {"PushP4"},
  P5 |-> {"PushP5"}, O1 |-> {"PushO1"}, O2 |-> {"PushO2"},
  O3 |-> {"Take"}, O3hand |-> {"Over"},
  L1 |-> {"PopL1"}, L4 |-> {"PopL4"}, L5 |-> {"Take"},
  B4 |-> {"BatchP4"}, B5 |-> {"BatchP5"},
  S1 |-> {"StealS1"}, S2 |-> {"StealS2"}, S5 |-> {"StealS5"},
  S6 |-> {"Take"}, S7 |-> {"StealS7"}, S7load |-> {"StealS7Load"},
  S9 |-> {"StealS9"}]

ByCall == [push |-> {"PushP1"}, pop |-> {"PopL1"}, batch |-> {"BatchP1"},
           steal |-> {"StealS0"}]

(* Which events a worker can come to next. *)
Expects(t) ==
  IF left[t] # <<>> THEN {left[t][1][1]}
  ELSE IF pc[t] # "idle" THEN ByLabel[pc[t]]
  ELSE IF answer[t] # <<>> THEN {"Return"}
  ELSE IF call[t] # <<>> THEN ByCall[call[t][1]]
  ELSE {"Call"}

-----------------------------------------------------------------------------
(* The actions that the events are *)

Pair(k) == [steal |-> Event[k], real |-> Event[k + 1]]
Victim(t) == loc[t].victim

(* A load of head of ring r, which action A does or, if the call ends      *)
(* there and RingQueue has no step for it, nothing.                        *)
Loads(r, e) == e[3] = r /\ head[r] = Pair(4)

LoadEvent(t, e) ==
  CASE e[1] = "PushP1"      -> Loads(t, e) /\ PushP1(t)
    [] e[1] = "PushP1Again" -> Loads(t, e) /\ PushP1Again(t)
    [] e[1] = "PopL1" ->
         /\ Loads(t, e)
         /\ IF pc[t] = "idle" /\ head[t].real = tail[t] THEN UNCHANGED vars
            ELSE PopL1(t)
    [] e[1] = "BatchP1" ->
         Loads(t, e) /\ BatchP1(t) /\ Len(loc'[t].batch) = call[t][2]
    [] e[1] = "StealS0" ->
         /\ Loads(t, e)
         /\ IF MayReceive(tail[t], head[t])
            THEN StealS0(t) /\ loc'[t].victim = call[t][2]
            ELSE UNCHANGED vars
    [] e[1] = "StealS1"     -> Loads(Victim(t), e) /\ StealS1(t)
    [] e[1] = "StealS7Load" -> Loads(Victim(t), e) /\ StealS7Load(t)
    [] e[1] = "StealS2" ->
         e[3] = Victim(t) /\ tail[e[3]] = e[4] /\ StealS2(t)

(* A CAS of head of ring r by t, and what a failed one would have stored.  *)
Swaps(r, t, e) ==
  /\ e[3] = r
  /\ loc[t].head = Pair(4)
  /\ e[8] = (head[r] = Pair(4))
  /\ head' = IF e[8] THEN [head EXCEPT ![r] = Pair(6)] ELSE head

SwapEvent(t, e) ==
  CASE e[1] = "PushO1"  -> PushO1(t) /\ Swaps(t, t, e)
    [] e[1] = "PopL4"   -> PopL4(t) /\ Swaps(t, t, e)
    [] e[1] = "StealS5" -> StealS5(t) /\ Swaps(Victim(t), t, e)
    [] e[1] = "StealS7" -> StealS7(t) /\ Swaps(Victim(t), t, e)

TailEvent(t, e) ==
  /\ e[3] = t
  /\ CASE e[1] = "PushP5"  -> PushP5(t)
       [] e[1] = "PushO2"  -> PushO2(t)
       [] e[1] = "BatchP5" -> BatchP5(t)
       [] e[1] = "StealS9" -> StealS9(t)
  /\ tail' = [tail EXCEPT ![t] = e[4]]

(* The slot that "Take" reads is the one that the action clears; what it   *)
(* writes there and, of StealS6, elsewhere must follow.                    *)
Follow(t, e) ==
  <<<<"Clear", t, e[3], e[4], 0>>>> \o
  IF pc[t] = "S6" /\ pc'[t] = "S6"
  THEN <<<<"Bring", t, t, Slot(Plus(tail[t], loc[t].moved)), e[5]>>>>
  ELSE <<>>

SlotEvent(t, e) ==
  IF e[1] = "Take"
  THEN /\ e[3] = IF pc[t] = "S6" THEN Victim(t) ELSE t
       /\ e[5] # 0 /\ Number(slots[e[3]][e[4]]) = e[5]
       /\ CASE pc[t] = "L5" -> PopL5(t)
            [] pc[t] = "O3" -> PushO3(t)
            [] pc[t] = "S6" -> StealS6(t)
       /\ slots'[e[3]][e[4]] = None
  ELSE /\ e[3] = t
       /\ IF e[1] = "PushP4" THEN PushP4(t) ELSE BatchP4(t)
       /\ slots' = [slots EXCEPT ![t][e[4]] = e[5]]

OverEvent(t, e) ==
  IF loc[t].batch = <<>> THEN e[3] = <<loc[t].task>> /\ PushP1Over(t)
  ELSE e[3] = Append(loc[t].batch, loc[t].task) /\ PushO3Hand(t)

OfSlots == {"Take", "PushP4", "BatchP4"}
OfTails == {"PushP5", "PushO2", "BatchP5", "StealS9"}
OfSwaps == {"PushO1", "PopL4", "StealS5", "StealS7"}

Done(t, e) ==
  CASE e[1] \in OfSlots -> SlotEvent(t, e)
    [] e[1] \in OfTails -> TailEvent(t, e)
    [] e[1] \in OfSwaps -> SwapEvent(t, e)
    [] e[1] = "Over"    -> OverEvent(t, e)
    [] OTHER            -> LoadEvent(t, e)

(* What the call returns that ends with this event.                        *)
Answer(t, e) ==
  CASE e[1] \in {"PushP5", "BatchP5", "Over"} -> <<"done", 0, 0>>
    [] e[1] \in {"PopL1", "StealS2"} -> <<"empty", 0, 0>>
    [] e[1] = "StealS0" -> <<"no room", 0, 0>>
    [] e[1] = "StealS1" -> <<"busy", 0, 0>>
    [] e[1] = "Take"    -> <<"task", e[5], 1>>
    [] e[1] = "StealS7" -> <<"task", loc[t].last, 1>>
    [] e[1] = "StealS9" -> <<"task", loc[t].last, loc[t].count>>

Explained(t, e) ==
  /\ e[1] \in Expects(t)
  /\ CASE e[1] = "Call" ->
            /\ call' = [call EXCEPT ![t] = <<e[3], e[4]>>]
            /\ UNCHANGED <<vars, answer, left>>
       [] e[1] = "Return" ->
            /\ answer[t] = <<e[3], e[4], e[5]>>
            /\ answer' = [answer EXCEPT ![t] = <<>>]
            /\ UNCHANGED <<vars, call, left>>
       [] left[t] # <<>> ->
            /\ e = left[t][1]
            /\ left' = [left EXCEPT ![t] = Drop(@, 1)]
            /\ UNCHANGED <<vars, call, answer>>
       [] OTHER ->
            /\ Done(t, e)
            /\ call' = [call EXCEPT ![t] = <<>>]
            /\ answer' = [answer EXCEPT ![t] =
                 IF pc'[t] = "idle" THEN Answer(t, e) ELSE <<>>]
            /\ left' = [left EXCEPT ![t] =
                 IF e[1] = "Take" THEN Follow(t, e) ELSE <<>>]

(* After the last event no worker is in a call.                            *)
Ended == \A w \in Workers : Expects(w) = {"Call"}

TraceStep ==
  /\ More
  /\ IF Event[1] = "End"
     THEN Ended /\ next' = -next /\ UNCHANGED <<vars, call, answer, left>>
     ELSE Explained(Event[2], Event) /\ next' = next + 1

TraceInit ==
  /\ Init /\ next \in Starts
  /\ call = NoTasks /\ answer = NoTasks /\ left = NoTasks

TraceSpec == TraceInit /\ [][TraceStep]_traceVars

-----------------------------------------------------------------------------
(* What TLC is to print: that it came to the end, or why not.              *)

AtTheEnd == More \/ PrintT(<<"explained to the end", -next>>)

Stuck ==
  \/ ~More
  \/ ENABLED TraceStep
  \/ LET t == Event[2] IN
     PrintT(<<"no action explains event", next,
       [expects |-> IF t \in Workers THEN Expects(t) ELSE {}, pc |-> pc,
        loc |-> IF t \in Workers THEN loc[t] ELSE Nil, head |-> head,
        tail |-> tail, slots |-> slots, answer |-> answer, left |-> left]>>)

-----------------------------------------------------------------------------
(* A task that was lost stays lost, and one that was returned twice stays  *)
(* returned twice, so it is enough to ask at the end.                      *)
NoneLostAtTheEnd == More \/ NoLostTask
NoneTwiceAtTheEnd == More \/ NoDuplicateTask
=============================================================================
