------------------------------ MODULE ParkTrace ------------------------------
(***************************************************************************)
(* Whether a run of the real parker is a behaviour of Park, as RingTrace   *)
(* says of rings: there is one event for each operation on an atomic word, *)
(* the lock and the condition variable, in the order in which they were    *)
(* done, and each is one action. The owner is "w0".                        *)
(*                                                                         *)
(* An event is <<name, thread, ...>>. A CAS of state has what it compares  *)
(* with, what it writes, and whether it succeeded; a swap what it writes   *)
(* and what it has read; a load or store of closed the value. The words of *)
(* state are 0, 1 and 2 in the code. "ParkLock" and "ParkUnlock" are the   *)
(* owner's, of ParkK2 and ParkK6 or of its wait.                           *)
(***************************************************************************)
EXTENDS ParkMC, ParkTraceData, Sequences, TLC

VARIABLE next   \* the number of the next event; below 0: there is none

traceVars == <<vars, next>>

More == next > 0
Event == Trace[next]

Word == [empty |-> 0, parked |-> 1, notified |-> 2]

ByLabel == [
  K0 |-> {"ParkK0"}, K2 |-> {"ParkLock"}, K3 |-> {"ParkK3"},
  K3swap |-> {"ParkK3Swap"}, K4 |-> {"ParkK4"}, K4unlock |-> {"ParkUnlock"},
  K4lock |-> {"ParkLock"}, K5 |-> {"ParkK5"}, K6 |-> {"ParkUnlock"},
  U1 |-> {"UnparkU1"}, U2 |-> {"UnparkU2"}, U2unlock |-> {"UnparkU2Unlock"},
  U3 |-> {"UnparkU3"}]

(* Which events a thread can come to next. *)
Expects(t) ==
  IF pc[t] # "idle" THEN ByLabel[pc[t]]
  ELSE IF t = Owner THEN {"ParkK1"} ELSE {"UnparkU1", "CloseC1"}

(* A CAS from one word to another, and a swap.                             *)
Compares(e, from, to) ==
  /\ e[3] = Word[from] /\ e[4] = Word[to]
  /\ e[5] = (state = from)
  /\ state' = IF e[5] THEN to ELSE state
Swaps(e, to) == e[3] = Word[to] /\ e[4] = Word[state] /\ state' = to

Done(t, e) ==
  CASE e[1] = "ParkK1" -> ParkK1 /\ Compares(e, "notified", "empty")
    [] e[1] = "ParkK0" -> e[3] = closed /\ ParkK0
    [] e[1] = "ParkK3" -> ParkK3 /\ Compares(e, "empty", "parked")
    [] e[1] = "ParkK3Swap" -> ParkK3Swap /\ Swaps(e, "empty")
    [] e[1] = "ParkK4" -> ParkK4
    [] e[1] = "ParkK5" -> ParkK5 /\ Compares(e, "notified", "empty")
    [] e[1] = "ParkLock" -> ParkK2 \/ ParkK4Lock
    [] e[1] = "ParkUnlock" -> ParkK4Unlock \/ ParkK6
    [] e[1] = "UnparkU1" -> UnparkU1(t) /\ Swaps(e, "notified")
    [] e[1] = "UnparkU2" -> UnparkU2(t)
    [] e[1] = "UnparkU2Unlock" -> UnparkU2Unlock(t)
    [] e[1] = "UnparkU3" -> UnparkU3(t)
    [] e[1] = "CloseC1" -> e[3] = TRUE /\ CloseC1(t)

(* After the last event nobody is in a call.                               *)
Ended == \A t \in Threads : pc[t] = "idle"

TraceStep ==
  /\ More
  /\ IF Event[1] = "End"
     THEN Ended /\ next' = -next /\ UNCHANGED vars
     ELSE /\ Event[1] \in Expects(Event[2])
          /\ Done(Event[2], Event)
          /\ next' = next + 1

TraceSpec == Init /\ next \in Starts /\ [][TraceStep]_traceVars

-----------------------------------------------------------------------------
(* What TLC is to print: that it came to the end, or why not.              *)

AtTheEnd == More \/ PrintT(<<"explained to the end", -next>>)

Stuck ==
  \/ ~More
  \/ ENABLED TraceStep
  \/ LET t == Event[2] IN
     PrintT(<<"no action explains event", next,
       [expects |-> IF t \in Threads THEN Expects(t) ELSE {}, pc |-> pc,
        state |-> state, closed |-> closed, lock |-> lock, waiting |-> waiting]>>)
=============================================================================
