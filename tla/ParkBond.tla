------------------------------ MODULE ParkBond ------------------------------
(***************************************************************************)
(* The graph of Park in a form that package bond compares with the graph   *)
(* of the code, edge by edge.                                              *)
(***************************************************************************)
EXTENDS ParkMC, Sequences, TLC

CONSTANT Order   \* the threads, the owner first

Number(truth) == IF truth THEN 1 ELSE 0

(* The words as they are in memory, and whether the lock is held.          *)
Words == <<CASE state = "empty" -> 0 [] state = "parked" -> 1
             [] state = "notified" -> 2,
           Number(closed), Number(lock # None)>>

Form == <<Words, <<lock, waiting, [k \in 1..Len(Order) |-> pc[Order[k]]]>>>>

Place(t) == CHOOSE k \in 1..Len(Order) : Order[k] = t

Edge(t, action, choices) ==
  PrintT(ToString(<<"edge", Place(t), action, choices, 0, pc'[t] = "idle",
                    FALSE, Form, Form'>>))

(* An operation of a waker begins with a choice: to unpark or to close.    *)
Chosen(u, n) == IF pc[u] = "idle" THEN <<n>> ELSE <<>>

Traced ==
  \/ ParkK1 /\ Edge(Owner, "ParkK1", <<>>)
  \/ ParkK0 /\ Edge(Owner, "ParkK0", <<>>)
  \/ ParkK2 /\ Edge(Owner, "ParkK2", <<>>)
  \/ ParkK3 /\ Edge(Owner, "ParkK3", <<>>)
  \/ ParkK3Swap /\ Edge(Owner, "ParkK3Swap", <<>>)
  \/ ParkK5 /\ Edge(Owner, "ParkK5", <<>>)
  \/ ParkK4 /\ Edge(Owner, "ParkK4", <<>>)
  \/ ParkK4Unlock /\ Edge(Owner, "ParkK4Unlock", <<>>)
  \/ ParkK4Lock /\ Edge(Owner, "ParkK4Lock", <<>>)
  \/ ParkK6 /\ Edge(Owner, "ParkK6", <<>>)
  \/ \E u \in Wakers :
       \/ UnparkU1(u) /\ Edge(u, "UnparkU1", Chosen(u, 0))
       \/ UnparkU2(u) /\ Edge(u, "UnparkU2", <<>>)
       \/ UnparkU2Unlock(u) /\ Edge(u, "UnparkU2Unlock", <<>>)
       \/ UnparkU3(u) /\ Edge(u, "UnparkU3", <<>>)
       \/ CloseC1(u) /\ Edge(u, "CloseC1", Chosen(u, 1))

TracedSpec == Init /\ [][Traced]_vars

Three == <<p, q, r>>
=============================================================================
