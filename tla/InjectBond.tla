----------------------------- MODULE InjectBond -----------------------------
(***************************************************************************)
(* Inject for runs of any length, with at most Limit tasks at a time, and  *)
(* its graph in a form that package bond compares with the graph of the    *)
(* code, edge by edge. What tells states apart is Form: tasks are alike    *)
(* but for one that is tagged.                                             *)
(***************************************************************************)
EXTENDS InjectMC, TLC

CONSTANT Order   \* the threads

VARIABLE tag   \* the tagged task, None until there is one

Kind(x) == IF x = tag THEN 2 ELSE 1
Kinds(s) == [k \in 1..Len(s) |-> Kind(s[k])]
Number(truth) == IF truth THEN 1 ELSE 0

(* Whether the tagged task has been pushed, popped, refused. A user has a  *)
(* task when the call has returned.                                        *)
Popped == popped # <<>> /\ tag \in Range(popped)
          /\ \A t \in Threads : tag \notin Range(hand[t])
Fate == IF tag = None THEN <<0, 0, 0>>
        ELSE <<1, Number(Popped), Number(tag \in refused)>>

Words == <<length, Number(closed), Number(lock # None), Kinds(list)>>

Local(t) == <<pc[t], space[t], Kinds(hand[t])>>

Form == <<<<Fate, Words>>, [k \in 1..Len(Order) |-> Local(Order[k])]>>

(* The operations between which a pusher chooses: to close, or to push n   *)
(* tasks of which that at k, if it is not 0, is the tagged one.            *)
OptionsOf(n) ==
  IF n \notin Batches \/ Room < n THEN <<>>
  ELSE <<<<n, 0>>>> \o (IF tag = None THEN [k \in 1..n |-> <<n, k>>] ELSE <<>>)
Close == <<0, 0>>
Options == <<Close>> \o OptionsOf(1) \o OptionsOf(2) \o OptionsOf(3)
Chosen(option) == <<(CHOOSE k \in 1..Len(Options) : Options[k] = option) - 1>>

Place(t) == CHOOSE k \in 1..Len(Order) : Order[k] = t

Trace(t, action, choices, answer) ==
  PrintT(ToString(<<"edge", Place(t), action, choices, answer,
                    pc'[t] = "idle", FALSE, Form, Form'>>))
Edge(t, action) == tag' = tag /\ Trace(t, action, <<>>, 0)

(* The pushes that begin, with the tagged task in one place or another.    *)
Begin(t, action, n) ==
  \/ tag' = tag /\ Trace(t, action, Chosen(<<n, 0>>), 0)
  \/ \E k \in 1..n :
       /\ tag = None
       /\ tag' = pushed + k
       /\ Trace(t, action, Chosen(<<n, k>>), 0)

(* Inject.Len: load length. What changes nothing is no step of Inject.     *)
LenN1(t) ==
  /\ pc[t] = "idle"
  /\ t \in Poppers
  /\ UNCHANGED vars

Traced(t) ==
  \/ \E n \in Batches :
       \/ PushCall(t, n) /\ Begin(t, "PushCall", n)
       \/ pc[t] = "idle" /\ PushI1(t, n) /\ Begin(t, "PushI1", n)
       \/ pc[t] = "I1" /\ PushI1(t, n) /\ Edge(t, "PushI1")
  \/ \E n \in Pops : PopN1(t, n) /\ tag' = tag /\
       Trace(t, "PopN1", <<n - 1>>, Number(pc'[t] = "idle"))
  \/ PushI4(t) /\ Edge(t, "PushI4")
  \/ PushI5(t) /\ Edge(t, "PushI5")
  \/ PushI5Closed(t) /\ tag' = tag /\ Trace(t, "PushI5Closed", <<>>, 1)
  \/ PopN2(t) /\ Edge(t, "PopN2")
  \/ PopN4(t) /\ Edge(t, "PopN4")
  \/ PopN6(t) /\ tag' = tag /\ Trace(t, "PopN6", <<>>, Number(hand[t] = <<>>))
  \/ LenN1(t) /\ tag' = tag /\ Trace(t, "LenN1", <<2>>, length)
  \/ CloseCall(t) /\ tag' = tag /\ Trace(t, "CloseCall", Chosen(Close), 0)
  \/ pc[t] = "idle" /\ CloseC1(t) /\ tag' = tag
       /\ Trace(t, "CloseC1", Chosen(Close), 0)
  \/ pc[t] = "C1" /\ CloseC1(t) /\ Edge(t, "CloseC1")
  \/ CloseC5(t) /\ Edge(t, "CloseC5")

TracedInit == Init /\ tag = None
TracedNext == \E t \in Threads : Traced(t)
TracedSpec == TracedInit /\ [][TracedNext]_<<vars, tag>>

Two == <<a, b>>
Four == <<a, b, c, d>>
=============================================================================
