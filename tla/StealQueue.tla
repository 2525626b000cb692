----------------------------- MODULE StealQueue -----------------------------
(***************************************************************************)
(* What the users of the rings may rely on: one FIFO queue per worker, in  *)
(* which every operation is one step, but for the moments between that     *)
(* others can see. A steal takes effect when it claims, excludes a second  *)
(* thief until it releases, and brings its tasks into the thief's own      *)
(* queue last. An overflow takes everything, gives the oldest half back,   *)
(* and hands the newest half and the pushed task over as one batch.        *)
(* Module RingQueueMC checks that RingQueue implements this.               *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Workers,   \* each owns one queue
  Pushers,   \* the workers that push
  Batches,   \* the sizes in which they push several tasks at once
  Thieves,   \* the workers that steal
  Cap,       \* how many tasks a queue holds at most
  Setup,     \* worker -> the tasks that its queue holds at the start
  MaxTasks,  \* how many tasks there ever are: 1, 2, ... in order of creation
  None       \* no worker

VARIABLES
  queue,     \* worker -> its visible tasks, oldest first
  doing,     \* worker -> the kind of its operation under way
  hand,      \* worker -> the tasks that this operation holds
  thief,     \* worker -> who is stealing from its queue, or None
  inject,    \* what was handed over, in order
  pushed,    \* how many tasks have been created
  returned   \* task -> how often a pop or a steal has returned it

vars == <<queue, doing, hand, thief, inject, pushed, returned>>

Half == Cap \div 2
First(s, n) == SubSeq(s, 1, n)
Drop(s, n) == SubSeq(s, n + 1, Len(s))
InSetup == {x \in 1..MaxTasks : \E w \in Workers :
              \E k \in 1..Len(Setup[w]) : Setup[w][k] = x}
Return(x) == returned' = [returned EXCEPT ![x] = @ + 1]
Do(w, what, tasks) ==
  /\ doing' = [doing EXCEPT ![w] = what]
  /\ hand' = [hand EXCEPT ![w] = tasks]

Init ==
  /\ queue = Setup
  /\ doing = [w \in Workers |-> "nothing"]
  /\ hand = [w \in Workers |-> <<>>]
  /\ thief = [w \in Workers |-> None]
  /\ inject = <<>>
  /\ pushed = Cardinality(InSetup)
  /\ returned = [x \in 1..MaxTasks |-> 0]

-----------------------------------------------------------------------------
(* Pushing *)

(* A full queue makes room by an overflow, or, while a thief is at work on *)
(* it, sends the one task away ("spill").                                  *)
Push(w) ==
  /\ w \in Pushers
  /\ doing[w] = "nothing"
  /\ \E n \in {1} \cup Batches :
       /\ pushed + n <= MaxTasks
       /\ pushed' = pushed + n
       /\ \E what \in {"push", "spill"} :
            /\ what = "spill" => n = 1 /\ thief[w] # None
            /\ Do(w, what, [k \in 1..n |-> pushed + k])
  /\ UNCHANGED <<queue, thief, inject, returned>>

Meet(w) ==
  /\ doing[w] = "push"
  /\ Len(hand[w]) = 1
  /\ thief[w] # None
  /\ Do(w, "spill", hand[w])
  /\ UNCHANGED <<queue, thief, inject, pushed, returned>>

Publish(w) ==
  /\ doing[w] = "push"
  /\ Len(queue[w]) + Len(hand[w]) <= Cap
  /\ queue' = [queue EXCEPT ![w] = @ \o hand[w]]
  /\ Do(w, "nothing", <<>>)
  /\ UNCHANGED <<thief, inject, pushed, returned>>

OverflowTake(w) ==
  /\ doing[w] = "push"
  /\ Len(hand[w]) = 1
  /\ Len(queue[w]) = Cap
  /\ thief[w] = None
  /\ queue' = [queue EXCEPT ![w] = <<>>]
  /\ Do(w, "overflow", queue[w] \o hand[w])
  /\ UNCHANGED <<thief, inject, pushed, returned>>

OverflowKeep(w) ==
  /\ doing[w] = "overflow"
  /\ queue' = [queue EXCEPT ![w] = First(hand[w], Half)]
  /\ Do(w, "spill", Drop(hand[w], Half))
  /\ UNCHANGED <<thief, inject, pushed, returned>>

HandOver(w) ==
  /\ doing[w] = "spill"
  /\ inject' = inject \o hand[w]
  /\ Do(w, "nothing", <<>>)
  /\ UNCHANGED <<queue, thief, pushed, returned>>

-----------------------------------------------------------------------------
(* Popping *)

PopTake(w) ==
  /\ doing[w] = "nothing"
  /\ queue[w] # <<>>
  /\ queue' = [queue EXCEPT ![w] = Drop(@, 1)]
  /\ Do(w, "pop", First(queue[w], 1))
  /\ UNCHANGED <<thief, inject, pushed, returned>>

PopReturn(w) ==
  /\ doing[w] = "pop"
  /\ Return(hand[w][1])
  /\ Do(w, "nothing", <<>>)
  /\ UNCHANGED <<queue, thief, inject, pushed>>

-----------------------------------------------------------------------------
(* Stealing *)

(* The oldest half, rounded up, of what the thief saw: the tail of the     *)
(* queue may have grown since it looked.                                   *)
Claim(w, v) ==
  /\ w \in Thieves
  /\ w # v
  /\ doing[w] = "nothing"
  /\ thief[v] = None
  /\ \E seen \in 1..Len(queue[v]) :
       LET n == seen - seen \div 2 IN
       /\ queue' = [queue EXCEPT ![v] = Drop(@, n)]
       /\ Do(w, "steal", First(queue[v], n))
  /\ thief' = [thief EXCEPT ![v] = w]
  /\ UNCHANGED <<inject, pushed, returned>>

(* A steal of one task ends here: there is nothing to bring home.          *)
Release(w, v) ==
  /\ thief[v] = w
  /\ thief' = [thief EXCEPT ![v] = None]
  /\ IF Len(hand[w]) = 1
     THEN Return(hand[w][1]) /\ Do(w, "nothing", <<>>)
     ELSE Do(w, "bring", hand[w]) /\ UNCHANGED returned
  /\ UNCHANGED <<queue, inject, pushed>>

(* The last stolen task is returned, the others enter the thief's queue.   *)
Bring(w) ==
  LET n == Len(hand[w]) IN
  /\ doing[w] = "bring"
  /\ Len(queue[w]) + n - 1 <= Cap
  /\ queue' = [queue EXCEPT ![w] = @ \o First(hand[w], n - 1)]
  /\ Return(hand[w][n])
  /\ Do(w, "nothing", <<>>)
  /\ UNCHANGED <<thief, inject, pushed>>

-----------------------------------------------------------------------------
Next ==
  \E w \in Workers :
    \/ Push(w) \/ Meet(w) \/ Publish(w)
    \/ OverflowTake(w) \/ OverflowKeep(w) \/ HandOver(w)
    \/ PopTake(w) \/ PopReturn(w)
    \/ \E v \in Workers : Claim(w, v) \/ Release(w, v)
    \/ Bring(w)

Spec == Init /\ [][Next]_vars
=============================================================================
