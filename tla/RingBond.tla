------------------------------ MODULE RingBond ------------------------------
(***************************************************************************)
(* RingQueue without PushBatch, for runs of any length, and its graph in a *)
(* form that package bond compares with the graph of the code, edge by     *)
(* edge.                                                                   *)
(*                                                                         *)
(* What tells states apart is Form, TLC's VIEW of them: indices count from *)
(* steal, tasks are alike but for one that is tagged, and a loaded head    *)
(* that is no longer what head is says only so: each change of head moves  *)
(* an index on, so head is what it was only after all index values, and    *)
(* before that the CAS will fail. What RingQueue does next depends on      *)
(* nothing else, so the graph is finite though tasks and indices are not.  *)
(* TLC does not check this: it believes a VIEW. MaxTasks is so large that  *)
(* no state of the graph is as far from the first.                         *)
(*                                                                         *)
(* A step of the code is one atomic operation with the accesses to slots   *)
(* that follow it. These are actions of their own here; Urgent has them    *)
(* follow at once, and package bond joins them. That they commute with the *)
(* steps of others is NoSlotRace.                                          *)
(***************************************************************************)
EXTENDS RingQueueMC, TLC

CONSTANTS
  Order,   \* the workers, in the order of their threads
  Tags     \* whether a task may be tagged

VARIABLE tag   \* the tagged task, None until there is one

Kind(x) == IF x = None THEN 0 ELSE IF x = tag THEN 2 ELSE 1
Kinds(s) == [k \in 1..Len(s) |-> Kind(s[k])]

(* A ring as it is in memory. *)
Words(w) == <<Minus(head[w].real, head[w].steal),
              Minus(tail[w], head[w].steal),
              Kinds(At(w, head[w].steal, Cap))>>

(* Whether the tagged task has been pushed, returned, handed over. *)
Fate == IF tag = None THEN <<0, 0, 0>>
        ELSE <<1, returned[tag],
               Cardinality({k \in 1..Len(inject) : inject[k] = tag})>>

Min(m, n) == IF m < n THEN m ELSE n

(* What worker w remembers. A head that was loaded before a tail counts by *)
(* how far it is behind: from Cap + 1 on that is the same.                 *)
Local(w) ==
  LET l == loc[w]
      v == l.victim IN
  CASE pc[w] \in {"idle", "L1", "L5"} -> <<pc[w]>>
    [] pc[w] \in {"P1", "P1over", "P4", "P5", "O2"} -> <<pc[w], Kind(l.task)>>
    [] pc[w] = "O1" -> <<pc[w], Kind(l.task), head[w] = l.head>>
    [] pc[w] \in {"O3", "O3hand"} -> <<pc[w], Kind(l.task), Kinds(l.batch)>>
    [] pc[w] = "L4" -> <<pc[w], head[w] = l.head>>
    [] pc[w] = "S1" -> <<pc[w], v>>
    [] pc[w] = "S2" ->
         <<pc[w], v, Min(Minus(head[v].steal, l.head.real), Cap + 1)>>
    [] pc[w] = "S5" -> <<pc[w], v, IF head[v] = l.head THEN l.count ELSE 0>>
    [] pc[w] = "S6" -> <<pc[w], v, l.count, l.moved>>
    [] pc[w] = "S7" ->
         <<pc[w], v, l.count, Kind(l.last), head[v] = l.head>>
    [] pc[w] = "S7load" -> <<pc[w], v, l.count, Kind(l.last)>>
    [] pc[w] = "S9" -> <<pc[w], l.count, Kind(l.last)>>

Form ==
  << <<Fate>> \o [k \in 1..Len(Order) |-> Words(Order[k])],
     [k \in 1..Len(Order) |-> Local(Order[k])] >>

-----------------------------------------------------------------------------
(* The drivers. An operation begins with choices, and Choices says which.  *)

(* One owner; a thief steals when its ring is empty, and else empties it.  *)
RingsMay(w, op) ==
  w \in Thieves => IF op = "steal" THEN Length(w) = 0 ELSE Length(w) > 0
RingsChoices(w, op) ==
  IF w \in Thieves THEN <<>>
  ELSE CASE op = "pop" -> <<0>> [] op = "push" -> <<1>> [] op = "tag" -> <<2>>

(* Two workers, either of which does anything. *)
PairMay(w, op) == TRUE
PairChoices(w, op) ==
  CASE op = "steal" -> <<0>> [] op = "pop" -> <<1>>
    [] op = "push" -> <<2>> [] op = "tag" -> <<3>>

May(w, op) == TRUE
Choices(w, op) == <<>>

Two == <<a, b>>
Three == <<a, b, c>>

-----------------------------------------------------------------------------
(* The edges *)

Place(w) == CHOOSE k \in 1..Len(Order) : Order[k] = w

Slotted == {w \in Workers :
  pc[w] \in {"P1over", "P4", "O3", "O3hand", "L5", "S6"}}
Urgent(w) == Slotted # {} => w \in Slotted

(* The edge from this state to the next: the thread, the action, the       *)
(* choices before it, what the operation has answered, whether it has      *)
(* ended, whether this is part of the step before.                         *)
Trace(w, action, choices, answer) ==
  PrintT(ToString(<<"edge", Place(w), action, choices, answer,
                    pc'[w] = "idle", w \in Slotted, Form, Form'>>))

Edge(w, action) == tag' = tag /\ Trace(w, action, <<>>, 0)
Begin(w, op, action, answer) ==
  /\ May(w, op)
  /\ tag' = tag
  /\ Trace(w, action, Choices(w, op), answer)

(* A call that finds the ring empty, and a steal without room for it:      *)
(* RingQueue has no steps for what changes nothing.                        *)
PopNothing(w) ==
  /\ pc[w] = "idle"
  /\ head[w].real = tail[w]
  /\ UNCHANGED vars
StealNoRoom(w) ==
  /\ pc[w] = "idle"
  /\ w \in Thieves
  /\ ~MayReceive(tail[w], head[w])
  /\ UNCHANGED vars

PushTagged(w) ==
  /\ Tags
  /\ tag = None
  /\ PushP1(w)
  /\ tag' = pushed + 1
  /\ Trace(w, "PushP1", Choices(w, "tag"), 0)

Empty(w) == IF pc'[w] = "idle" THEN 1 ELSE 0
Busy(w) == IF pc'[w] = "idle" THEN 2 ELSE 0

Traced(w) ==
  \/ PushP1(w) /\ Begin(w, "push", "PushP1", 0)
  \/ PushTagged(w)
  \/ PushP1Again(w) /\ Edge(w, "PushP1Again")
  \/ PushP1Over(w) /\ Edge(w, "PushP1Over")
  \/ PushP4(w) /\ Edge(w, "PushP4")
  \/ PushP5(w) /\ Edge(w, "PushP5")
  \/ PushO1(w) /\ Edge(w, "PushO1")
  \/ PushO2(w) /\ Edge(w, "PushO2")
  \/ PushO3(w) /\ Edge(w, "PushO3")
  \/ PushO3Hand(w) /\ Edge(w, "PushO3Hand")
  \/ PopNothing(w) /\ Begin(w, "pop", "PopL1", 1)
  \/ pc[w] = "idle" /\ PopL1(w) /\ Begin(w, "pop", "PopL1", 0)
  \/ pc[w] = "L1" /\ PopL1(w) /\ tag' = tag /\ Trace(w, "PopL1", <<>>, Empty(w))
  \/ PopL4(w) /\ Edge(w, "PopL4")
  \/ PopL5(w) /\ Edge(w, "PopL5")
  \/ StealNoRoom(w) /\ Begin(w, "steal", "StealS0", 3)
  \/ StealS0(w) /\ loc'[w].victim \in Pushers /\ Begin(w, "steal", "StealS0", 0)
  \/ StealS1(w) /\ tag' = tag /\ Trace(w, "StealS1", <<>>, Busy(w))
  \/ StealS2(w) /\ tag' = tag /\ Trace(w, "StealS2", <<>>, Empty(w))
  \/ StealS5(w) /\ Edge(w, "StealS5")
  \/ StealS6(w) /\ Edge(w, "StealS6")
  \/ StealS7(w) /\ Edge(w, "StealS7")
  \/ StealS7Load(w) /\ Edge(w, "StealS7Load")
  \/ StealS9(w) /\ Edge(w, "StealS9")

TracedInit == Init /\ tag = None
TracedNext == \E w \in Workers : Urgent(w) /\ Traced(w)
TracedSpec == TracedInit /\ [][TracedNext]_<<vars, tag>>
=============================================================================
