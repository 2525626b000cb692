------------------------------ MODULE IdleBond ------------------------------
(***************************************************************************)
(* The graph of IdleMC in a form that package bond compares with the graph *)
(* of the code, edge by edge.                                              *)
(*                                                                         *)
(* A step of the code that begins an operation is its call and the first   *)
(* of its operations on shared memory, if that can be done; else the call  *)
(* alone. So begun is the thread that has called and must go on at once.   *)
(***************************************************************************)
EXTENDS IdleMC, TLC

CONSTANT Order   \* the threads, workers first

VARIABLE begun   \* who is in the middle of a step, or None

Number(truth) == IF truth THEN 1 ELSE 0
Place(t) == CHOOSE k \in 1..Len(Order) : Order[k] = t

Words ==
  <<word.searching, word.unparked, Number(lock # None),
    [k \in 1..Len(sleepers) |-> Place(sleepers[k])],
    [k \in 1..N |-> CASE standing[Order[k]] = "awake" -> 0
                      [] standing[Order[k]] = "listed" -> 1
                      [] standing[Order[k]] = "chosen" -> 2
                      [] standing[Order[k]] = "excused" -> 3],
    [k \in 1..N |-> Number(token[Order[k]])]>>

Local(t) ==
  LET l == loc[t] IN
  <<pc[t], ret[t], l.counted, l.seen.searching, l.seen.unparked, l.woken,
    l.look, l.up>>
Form == <<Words, <<lock, begun, [k \in 1..Len(Order) |-> Local(Order[k])]>>>>

(* The operations between which a thread chooses.                          *)
Options(t) ==
  IF t \in Outside THEN <<"wake", "one", "all">>
  ELSE IF loc[t].counted THEN <<"wake", "stop", "park">>
  ELSE <<"wake", "try", "park">>
Chosen(t, op) ==
  <<(CHOOSE k \in 1..Len(Options(t)) : Options(t)[k] = op) - 1>>

Middle(t) == begun = t \/ pc[t] = "T6"
Trace(t, action, choices) ==
  PrintT(ToString(<<"edge", Place(t), action, choices, 0,
                    pc'[t] \in {"idle", "asleep"} /\ pc[t] # "asleep",
                    Middle(t), Form, Form'>>))
Edge(t, action) == begun' = None /\ Trace(t, action, <<>>)

Begin(t, op) ==
  /\ begun' = IF pc'[t] \in {"T2", "A1", "V1"} /\ lock # None THEN None ELSE t
  /\ Trace(t, "Call", Chosen(t, op))

(* A worker that asks for its token in vain changes nothing.               *)
SleepNothing(t) ==
  /\ pc[t] = "asleep"
  /\ ~token[t]
  /\ UNCHANGED vars

Traced(t) ==
  \/ \E k \in 1..Len(Options(t)) :
       LET op == Options(t)[k] IN Call(t, op) /\ Begin(t, op)
  \/ WakeW1(t) /\ Edge(t, "WakeW1")
  \/ WakeW2(t) /\ Edge(t, "WakeW2")
  \/ WakeW4(t) /\ Edge(t, "WakeW4")
  \/ WakeW4CAS(t) /\ Edge(t, "WakeW4CAS")
  \/ WakeW6(t) /\ Edge(t, "WakeW6")
  \/ WakeW7(t) /\ Edge(t, "WakeW7")
  \/ ParkT2(t) /\ Edge(t, "ParkT2")
  \/ ParkT3(t) /\ Edge(t, "ParkT3")
  \/ ParkT5(t, "T6") /\ Edge(t, "ParkT5")
  \/ \E found \in BOOLEAN :
       /\ LookT6(t, found)
       /\ begun' = None
       /\ Trace(t, "LookT6", <<Number(found)>>)
  \/ SearchE1(t) /\ Edge(t, "SearchE1")
  \/ SearchE2(t) /\ Edge(t, "SearchE2")
  \/ StopX1(t) /\ Edge(t, "StopX1")
  \/ Sleep(t) /\ Edge(t, "Sleep")
  \/ SleepNothing(t) /\ Edge(t, "Sleep")
  \/ ResumeF1(t) /\ Edge(t, "ResumeF1")
  \/ ResumeF4(t, "asleep") /\ Edge(t, "ResumeF4")
  \/ pc[t] = "V1" /\ WakeWorkerV1(t, Order[1]) /\ Edge(t, "WakeWorkerV1")
  \/ WakeWorkerV2(t) /\ Edge(t, "WakeWorkerV2")
  \/ WakeWorkerV3(t) /\ Edge(t, "WakeWorkerV3")
  \/ WakeAllLock(t) /\ Edge(t, "WakeAllA1")
  \/ WakeAllA2(t) /\ Edge(t, "WakeAllA2")
  \/ WakeAllA5(t) /\ Edge(t, "WakeAllA5")
  \/ WakeAllA6(t) /\ Edge(t, "WakeAllA6")

Urgent(t) == (\E u \in Threads : Middle(u)) => Middle(t)
TracedNext == \E t \in Threads : Urgent(t) /\ Traced(t)
TracedSpec == Init /\ begun = None /\ [][TracedNext]_<<vars, begun>>

TwoAndOne == <<a, b, x>>
=============================================================================
