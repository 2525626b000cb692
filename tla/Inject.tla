------------------------------- MODULE Inject -------------------------------
(***************************************************************************)
(* The queue of package queue that everyone shares: a list behind a lock,  *)
(* and its length in an atomic word that anyone may load. There is one     *)
(* action for each operation on the lock and on the word, in the order     *)
(* that the package documentation of queue gives, with what its thread     *)
(* does to the list, and to closed, until its next: these are behind the   *)
(* lock. An action is named after the operation and the label of the step  *)
(* there, and its comment names the Go function.                           *)
(*                                                                         *)
(* An operation takes effect when it stores the length. That a push looks  *)
(* whether the queue is closed behind the lock is the rule of Tokio's      *)
(* inject queue (tokio/src/runtime/scheduler/inject/shared.rs, 1.53).      *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Pushers,   \* who push, and close
  Poppers,   \* who pop, and ask for the length
  Batches,   \* how many tasks a push brings: 1 is Push, more is PushBatch
  Pops,      \* for how many tasks a pop has room: 1 is Pop, more is PopN
  MaxTasks,  \* how many tasks there ever are: 1, 2, ... in order of creation
  Limit,     \* how many may be in the queue or on their way at a time
  None       \* nobody

ASSUME ThreadsAssumption ==
  IsFiniteSet(Pushers) /\ IsFiniteSet(Poppers) /\ Pushers \cap Poppers = {}
  /\ None \notin Pushers \cup Poppers
ASSUME SizesAssumption == 0 \notin Batches \cup Pops

VARIABLES
  length,    \* an atomic word
  lock,      \* who holds the lock, or None
  closed,    \* behind the lock
  list,      \* behind the lock: the tasks, oldest first
  pc,        \* thread -> the label of its next step; "idle" between calls
  hand,      \* thread -> the tasks that it pushes, or has popped
  space,     \* thread -> for how many tasks it pops
  pushed,    \* how many tasks have been created
  late,      \* history: the pushers that began when the queue was closed
  queue,     \* history: the tasks by the order in which pushes took effect
  popped,    \* history: the tasks by the order in which pops took effect
  refused    \* history: the tasks whose pushes were refused

history == <<late, queue, popped, refused>>
vars == <<length, lock, closed, list, pc, hand, space, pushed, history>>

Threads == Pushers \cup Poppers
Labels == {"idle", "I1", "I4", "I5", "I5closed", "C1", "C5",
           "N2", "N4", "N6"}

Range(s) == {s[k] : k \in 1..Len(s)}
First(s, n) == SubSeq(s, 1, n)
Drop(s, n) == SubSeq(s, n + 1, Len(s))
Min(m, n) == IF m < n THEN m ELSE n

Go(t, label) == pc' = [pc EXCEPT ![t] = label]
Return(t) == Go(t, "idle") /\ hand' = [hand EXCEPT ![t] = <<>>]

(* Tasks that are on their way in, or not given to their user yet.         *)
OnTheWay(t) == IF pc[t] \in {"I1", "I5closed", "N4", "N6"} THEN Len(hand[t]) ELSE 0
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0
          ELSE LET t == CHOOSE t \in S : TRUE IN OnTheWay(t) + Sum(S \ {t})
Room == Limit - Len(list) - Sum(Threads)

New(n) == [k \in 1..n |-> pushed + k]

Init ==
  /\ length = 0
  /\ lock = None
  /\ closed = FALSE
  /\ list = <<>>
  /\ pc = [t \in Threads |-> "idle"]
  /\ hand = [t \in Threads |-> <<>>]
  /\ space = [t \in Threads |-> 0]
  /\ pushed = 0
  /\ late = {}
  /\ queue = <<>>
  /\ popped = <<>>
  /\ refused = {}

-----------------------------------------------------------------------------
(* Push and PushBatch *)

(* What a pusher does with the lock, and tasks to push.                    *)
Enter(t, tasks) ==
  /\ lock = None
  /\ lock' = t
  /\ hand' = [hand EXCEPT ![t] = tasks]
  /\ IF closed
     THEN Go(t, "I5closed") /\ UNCHANGED list
     ELSE Go(t, "I4") /\ list' = list \o tasks
  /\ UNCHANGED <<length, closed, space, queue, popped, refused>>

Bring(t, n) ==
  /\ pc[t] = "idle"
  /\ t \in Pushers
  /\ n <= Room
  /\ pushed + n <= MaxTasks
  /\ pushed' = pushed + n
  /\ late' = IF closed THEN late \cup {t} ELSE late

(* Inject.Push and Inject.PushBatch, I1: call, and find the lock taken.    *)
PushCall(t, n) ==
  /\ Bring(t, n)
  /\ lock # None
  /\ Go(t, "I1")
  /\ hand' = [hand EXCEPT ![t] = New(n)]
  /\ UNCHANGED <<length, lock, closed, list, space, queue, popped, refused>>

(* Inject.Push and Inject.PushBatch, I1: lock; if open, link the tasks.    *)
PushI1(t, n) ==
  \/ Bring(t, n) /\ Enter(t, New(n))
  \/ pc[t] = "I1" /\ n = Len(hand[t]) /\ Enter(t, hand[t])
     /\ UNCHANGED <<pushed, late>>

(* Inject.Push and Inject.PushBatch, I4: store length.                     *)
PushI4(t) ==
  /\ pc[t] = "I4"
  /\ length' = Len(list)
  /\ queue' = queue \o hand[t]
  /\ Go(t, "I5")
  /\ UNCHANGED <<lock, closed, list, hand, space, pushed, late, popped, refused>>

(* Inject.Push and Inject.PushBatch, I5: unlock.                           *)
PushI5(t) ==
  /\ pc[t] = "I5"
  /\ lock' = None
  /\ late' = late \ {t}
  /\ Return(t)
  /\ UNCHANGED <<length, closed, list, space, pushed, queue, popped, refused>>

(* Inject.Push and Inject.PushBatch, I5: closed: unlock, the tasks are the *)
(* caller's.                                                               *)
PushI5Closed(t) ==
  /\ pc[t] = "I5closed"
  /\ lock' = None
  /\ late' = late \ {t}
  /\ refused' = refused \cup Range(hand[t])
  /\ Return(t)
  /\ UNCHANGED <<length, closed, list, space, pushed, queue, popped>>

-----------------------------------------------------------------------------
(* Pop and PopN *)

(* Inject.PopN, N1: load length; none: empty. *)
PopN1(t, n) ==
  /\ pc[t] = "idle"
  /\ t \in Poppers
  /\ IF length = 0 THEN UNCHANGED <<pc, space>>
     ELSE Go(t, "N2") /\ space' = [space EXCEPT ![t] = n]
  /\ UNCHANGED <<length, lock, closed, list, hand, pushed, history>>

(* Inject.PopN, N2: lock, and unlink as many as there are and fit. *)
PopN2(t) ==
  /\ pc[t] = "N2"
  /\ lock = None
  /\ lock' = t
  /\ LET n == Min(space[t], Len(list)) IN
     /\ hand' = [hand EXCEPT ![t] = First(list, n)]
     /\ list' = Drop(list, n)
  /\ Go(t, "N4")
  /\ space' = [space EXCEPT ![t] = 0]
  /\ UNCHANGED <<length, closed, pushed, history>>

(* Inject.PopN, N4: store length. *)
PopN4(t) ==
  /\ pc[t] = "N4"
  /\ length' = Len(list)
  /\ popped' = popped \o hand[t]
  /\ Go(t, "N6")
  /\ UNCHANGED <<lock, closed, list, hand, space, pushed, late, queue, refused>>

(* Inject.PopN, N6: unlock. *)
PopN6(t) ==
  /\ pc[t] = "N6"
  /\ lock' = None
  /\ Return(t)
  /\ UNCHANGED <<length, closed, list, space, pushed, history>>

-----------------------------------------------------------------------------
(* Close *)

(* Inject.Close, C1: call, and find the lock taken. *)
CloseCall(t) ==
  /\ pc[t] = "idle"
  /\ t \in Pushers
  /\ lock # None
  /\ Go(t, "C1")
  /\ UNCHANGED <<length, lock, closed, list, hand, space, pushed, history>>

(* Inject.Close, C1: lock, and set closed. *)
CloseC1(t) ==
  /\ t \in Pushers
  /\ pc[t] \in {"idle", "C1"}
  /\ lock = None
  /\ lock' = t
  /\ closed' = TRUE
  /\ Go(t, "C5")
  /\ UNCHANGED <<length, list, hand, space, pushed, history>>

(* Inject.Close, C5: unlock. *)
CloseC5(t) ==
  /\ pc[t] = "C5"
  /\ lock' = None
  /\ Return(t)
  /\ UNCHANGED <<length, closed, list, space, pushed, history>>

-----------------------------------------------------------------------------
Step(t) ==
  \/ \E n \in Batches : PushCall(t, n) \/ PushI1(t, n)
  \/ PushI4(t) \/ PushI5(t) \/ PushI5Closed(t)
  \/ \E n \in Pops : PopN1(t, n)
  \/ PopN2(t) \/ PopN4(t) \/ PopN6(t)
  \/ CloseCall(t) \/ CloseC1(t) \/ CloseC5(t)

Next == \E t \in Threads : Step(t)

Spec == Init /\ [][Next]_vars

(* Who is in a call goes on; the lock is fair.                             *)
FairSpec == Spec /\ \A t \in Threads : SF_vars(pc[t] # "idle" /\ Step(t))
=============================================================================
