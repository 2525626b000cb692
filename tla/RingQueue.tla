------------------------------ MODULE RingQueue ------------------------------
(***************************************************************************)
(* The rings of package queue: one bounded FIFO queue per worker, from     *)
(* which the other workers steal the oldest half. There is one action for  *)
(* each atomic operation and for each task moved in or out of a slot, in   *)
(* the order that the package documentation of queue gives; an action is   *)
(* named after the operation and the label of the step there, and its      *)
(* comment names the Go function. What a goroutine computes between two    *)
(* such steps is part of the step before.                                  *)
(*                                                                         *)
(*      steal        real              tail                                *)
(*        |  claimed   |    visible      |      free                       *)
(*   -----+------------+-----------------+----------------> index          *)
(*        | one thief  | owner pops here | owner pushes here               *)
(*                                                                         *)
(* Two decisions. The owner of a ring keeps its own copy of tail, which    *)
(* only the owner reads, and sets it just before it stores tail. Wherever  *)
(* the owner computes with the copy the two are equal; so there is one     *)
(* variable tail, and that its owner reads it is no step. And to take a    *)
(* task out of a slot (read it, then clear the slot) is one action, and so *)
(* is moving it from the victim's slot to the thief's: these are plain     *)
(* accesses to slots that are nobody else's at the time. That they are     *)
(* nobody else's is not assumed: it is the invariant NoSlotRace, over all  *)
(* pending accesses, and it makes any split of these actions commute with  *)
(* every step of every other worker.                                       *)
(*                                                                         *)
(* The claims are in module RingQueueClaims. RingQueueMC gives the         *)
(* constants values and checks that this implements StealQueue.            *)
(* RingQueueBugs breaks it on purpose.                                     *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Workers,   \* each owns one ring, and pops from it
  Pushers,   \* the workers that call Push
  Batches,   \* the sizes with which pushers call PushBatch
  Thieves,   \* the workers that call StealInto
  Cap,       \* the capacity of every ring
  Modulus,   \* how many index values there are: 2^32 in the code
  Start,     \* the first index of every ring
  Setup,     \* worker -> the tasks in its ring at the start, oldest first
  MaxTasks,  \* how many tasks there ever are: 1, 2, ... in order of creation
  None       \* no task, no worker

ASSUME WorkersAssumption ==
  /\ IsFiniteSet(Workers) /\ None \notin Workers
  /\ Pushers \subseteq Workers /\ Thieves \subseteq Workers
ASSUME CapAssumption == \E k \in 1..16 : Cap = 2^k
ASSUME IndexAssumption == Modulus % Cap = 0 /\ Start \in 0..Modulus - 1
ASSUME SetupAssumption == \A w \in Workers : Len(Setup[w]) <= Cap
ASSUME BatchesAssumption == \A n \in Batches : n \in 2..Cap

VARIABLES
  head,      \* ring -> [steal, real], the two indices of one atomic word
  tail,      \* ring -> index, an atomic word; also its owner's copy
  slots,     \* ring -> slot number -> task or None; plain memory
  inject,    \* what overflows handed over, in order
  pushed,    \* how many tasks have been created
  returned,  \* task -> how often Pop or StealInto has returned it
  pc,        \* worker -> the label of its next step; "idle" between calls
  loc,       \* worker -> its local variables, see Nil
  queue,     \* history: ring -> the tasks it should hold, oldest first
  due        \* history: worker -> the tasks its last CAS should have taken

vars == <<head, tail, slots, inject, pushed, returned, pc, loc, queue, due>>

Half == Cap \div 2
Index == 0..Modulus - 1
Tasks == 1..MaxTasks
Labels == {"idle", "P1", "P1over", "P4", "P5", "O1", "O2", "O3", "O3hand",
           "L1", "L4", "L5", "B4", "B5",
           "S1", "S2", "S5", "S6", "S7", "S7load", "S9"}

Plus(i, n) == (i + n) % Modulus
Minus(i, j) == (i + Modulus - j) % Modulus
Slot(i) == i % Cap
(* Only a wrong ring asks for more than there are. *)
First(s, n) == SubSeq(s, 1, IF n < Len(s) THEN n ELSE Len(s))
Drop(s, n) == SubSeq(s, n + 1, Len(s))
Range(s) == {s[k] : k \in 1..Len(s)}

(* The locals of an operation; those that are dead are as here, so that    *)
(* they do not tell states apart.                                          *)
Nil == [
  task   |-> None,                      \* the task being pushed
  batch  |-> <<>>,                      \* PushBatch's, or the overflow's
  head   |-> [steal |-> 0, real |-> 0], \* what was loaded from head
  tail   |-> 0,                         \* what was loaded from tail
  victim |-> None,                      \* the ring stolen from
  index  |-> 0,                         \* the first index taken
  count  |-> 0,                         \* how many tasks the thief takes
  moved  |-> 0,                         \* how many of them it has moved
  last   |-> None]                      \* the task that the steal returns

Go(w, label, locals) ==
  /\ pc' = [pc EXCEPT ![w] = label]
  /\ loc' = [loc EXCEPT ![w] = locals]
Return(w) == Go(w, "idle", Nil)
Give(x) == IF x = None THEN UNCHANGED returned
           ELSE returned' = [returned EXCEPT ![x] = @ + 1]
(* What take leaves in a slot. *)
Emptied(x) == None

Init ==
  /\ head = [w \in Workers |-> [steal |-> Start, real |-> Start]]
  /\ tail = [w \in Workers |-> Plus(Start, Len(Setup[w]))]
  /\ slots = [w \in Workers |-> [s \in 0..Cap - 1 |->
       LET k == 1 + ((s + Cap - Slot(Start)) % Cap) IN
       IF k <= Len(Setup[w]) THEN Setup[w][k] ELSE None]]
  /\ inject = <<>>
  /\ pushed = Cardinality(UNION {Range(Setup[w]) : w \in Workers})
  /\ returned = [x \in Tasks |-> 0]
  /\ pc = [w \in Workers |-> "idle"]
  /\ loc = [w \in Workers |-> Nil]
  /\ queue = Setup
  /\ due = [w \in Workers |-> <<>>]

-----------------------------------------------------------------------------
(* Questions that the code asks of what it has loaded *)

Active(h) == h.steal # h.real                    \* a thief is at work
HasRoom(t, h) == Minus(t, h.steal) < Cap         \* one more task fits
MayReceive(t, h) == Minus(t, h.steal) <= Half    \* stolen tasks will fit
StealCount(visible) == visible - visible \div 2
SaysEmpty(visible) == visible = 0
IsStale(visible) == StealCount(visible) > Half   \* head is older than tail

-----------------------------------------------------------------------------
(* Push *)

AfterP1(w, x) ==
  LET h == head[w] IN
  IF HasRoom(tail[w], h) THEN Go(w, "P4", [Nil EXCEPT !.task = x])
  ELSE IF Active(h) THEN Go(w, "P1over", [Nil EXCEPT !.task = x])
  ELSE Go(w, "O1", [Nil EXCEPT !.task = x, !.head = h])

(* Ring.Push, P1: load head. *)
PushP1(w) ==
  /\ pc[w] = "idle"
  /\ w \in Pushers
  /\ pushed < MaxTasks
  /\ pushed' = pushed + 1
  /\ AfterP1(w, pushed + 1)
  /\ UNCHANGED <<head, tail, slots, inject, returned, queue, due>>

(* Ring.pushFull, P1: load head again, after a failed O1. *)
PushP1Again(w) ==
  /\ pc[w] = "P1"
  /\ AfterP1(w, loc[w].task)
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* Ring.pushFull, P1: full and a thief at work, one task to the overflow. *)
PushP1Over(w) ==
  /\ pc[w] = "P1over"
  /\ inject' = Append(inject, loc[w].task)
  /\ Return(w)
  /\ UNCHANGED <<head, tail, slots, pushed, returned, queue, due>>

(* Ring.append, P4: write the slot. *)
PushP4(w) ==
  /\ pc[w] = "P4"
  /\ slots' = [slots EXCEPT ![w][Slot(tail[w])] = loc[w].task]
  /\ Go(w, "P5", loc[w])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

(* Ring.append, P5: store tail. *)
PushP5(w) ==
  /\ pc[w] = "P5"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, 1)]
  /\ queue' = [queue EXCEPT ![w] = Append(@, loc[w].task)]
  /\ Return(w)
  /\ UNCHANGED <<head, slots, inject, pushed, returned, due>>

(* Ring.pushFull, O1: CAS of head that takes every task. *)
PushO1(w) ==
  /\ pc[w] = "O1"
  /\ IF head[w] = loc[w].head
     THEN /\ head' = [head EXCEPT ![w] = [steal |-> tail[w], real |-> tail[w]]]
          /\ due' = [due EXCEPT ![w] = queue[w]]
          /\ queue' = [queue EXCEPT ![w] = <<>>]
          /\ Go(w, "O2", [Nil EXCEPT !.task = loc[w].task])
     ELSE /\ Go(w, "P1", [Nil EXCEPT !.task = loc[w].task])
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

(* Ring.overflow, O2: store tail; the oldest half is visible again. *)
PushO2(w) ==
  /\ pc[w] = "O2"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, Half)]
  /\ queue' = [queue EXCEPT ![w] = First(due[w], Half)]
  /\ Go(w, "O3", loc[w])
  /\ UNCHANGED <<head, slots, inject, pushed, returned, due>>

(* Ring.overflow, O3: take one task of the newest half. *)
PushO3(w) ==
  /\ pc[w] = "O3"
  /\ LET s == Slot(Plus(tail[w], Len(loc[w].batch)))
         b == Append(loc[w].batch, slots[w][s]) IN
     /\ slots' = [slots EXCEPT ![w][s] = Emptied(@)]
     /\ Go(w, IF Len(b) = Half THEN "O3hand" ELSE "O3",
           [loc[w] EXCEPT !.batch = b])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

(* Ring.overflow, O3: hand the newest half and the pushed task over. *)
PushO3Hand(w) ==
  /\ pc[w] = "O3hand"
  /\ inject' = inject \o Append(loc[w].batch, loc[w].task)
  /\ due' = [due EXCEPT ![w] = <<>>]
  /\ Return(w)
  /\ UNCHANGED <<head, tail, slots, pushed, returned, queue>>

-----------------------------------------------------------------------------
(* Pop *)

(* Ring.Pop, L1: load head. A call that finds the ring empty at once       *)
(* changes nothing and is no step; BusyIsHonest says that it is right.     *)
PopL1(w) ==
  /\ pc[w] \in {"idle", "L1"}
  /\ IF head[w].real = tail[w]
     THEN pc[w] = "L1" /\ Return(w)
     ELSE Go(w, "L4", [Nil EXCEPT !.head = head[w]])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* While a thief is at work steal stays: the slots up to real are its own. *)
Popped(h) == [steal |-> IF Active(h) THEN h.steal ELSE Plus(h.real, 1),
              real  |-> Plus(h.real, 1)]

(* Ring.Pop, L4: CAS of head that takes the oldest task. *)
PopL4(w) ==
  /\ pc[w] = "L4"
  /\ IF head[w] = loc[w].head
     THEN /\ head' = [head EXCEPT ![w] = Popped(@)]
          /\ due' = [due EXCEPT ![w] = First(queue[w], 1)]
          /\ queue' = [queue EXCEPT ![w] = Drop(@, 1)]
          /\ Go(w, "L5", [Nil EXCEPT !.index = loc[w].head.real])
     ELSE /\ Go(w, "L1", Nil)
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

(* Ring.take, L5: read the slot and clear it. *)
PopL5(w) ==
  /\ pc[w] = "L5"
  /\ LET s == Slot(loc[w].index) IN
     /\ Give(slots[w][s])
     /\ slots' = [slots EXCEPT ![w][s] = Emptied(@)]
  /\ due' = [due EXCEPT ![w] = <<>>]
  /\ Return(w)
  /\ UNCHANGED <<head, tail, inject, pushed, queue>>

-----------------------------------------------------------------------------
(* PushBatch, called with as many tasks as Free says will fit *)

(* Ring.PushBatch and Ring.Free, P1: load head. *)
BatchP1(w) ==
  /\ pc[w] = "idle"
  /\ w \in Pushers
  /\ \E n \in Batches :
       /\ pushed + n <= MaxTasks
       /\ n <= Cap - Minus(tail[w], head[w].steal)
       /\ pushed' = pushed + n
       /\ Go(w, "B4", [Nil EXCEPT !.batch = [k \in 1..n |-> pushed + k]])
  /\ UNCHANGED <<head, tail, slots, inject, returned, queue, due>>

(* Ring.PushBatch, P4: write one slot. *)
BatchP4(w) ==
  /\ pc[w] = "B4"
  /\ LET k == loc[w].moved IN
     /\ slots' = [slots EXCEPT ![w][Slot(Plus(tail[w], k))] =
                    loc[w].batch[k + 1]]
     /\ Go(w, IF k + 1 = Len(loc[w].batch) THEN "B5" ELSE "B4",
           [loc[w] EXCEPT !.moved = k + 1])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

(* Ring.PushBatch, P5: store tail, once. *)
BatchP5(w) ==
  /\ pc[w] = "B5"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, Len(loc[w].batch))]
  /\ queue' = [queue EXCEPT ![w] = @ \o loc[w].batch]
  /\ Return(w)
  /\ UNCHANGED <<head, slots, inject, pushed, returned, due>>

-----------------------------------------------------------------------------
(* StealInto, by worker w into its own ring *)

(* Stealer.StealInto, S0: load dst.head. An answer "no room" changes       *)
(* nothing and is no step.                                                 *)
StealS0(w) ==
  /\ pc[w] = "idle"
  /\ w \in Thieves
  /\ MayReceive(tail[w], head[w])
  /\ \E v \in Workers \ {w} : Go(w, "S1", [Nil EXCEPT !.victim = v])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* Stealer.claim, S1: load head; busy is decided here. *)
StealS1(w) ==
  /\ pc[w] = "S1"
  /\ LET h == head[loc[w].victim] IN
     IF Active(h) THEN Return(w)
     ELSE Go(w, "S2", [loc[w] EXCEPT !.head = h])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* Stealer.claim, S2: load tail. A pair that cannot be consistent is       *)
(* dropped: the CAS would fail.                                            *)
StealS2(w) ==
  /\ pc[w] = "S2"
  /\ LET t == tail[loc[w].victim]
         visible == Minus(t, loc[w].head.real) IN
     IF SaysEmpty(visible) THEN Return(w)
     ELSE IF IsStale(visible) THEN Go(w, "S1", [Nil EXCEPT !.victim = loc[w].victim])
     ELSE Go(w, "S5", [loc[w] EXCEPT !.tail = t, !.count = StealCount(visible)])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* Stealer.claim, S5: CAS of head that claims the oldest count tasks. *)
StealS5(w) ==
  /\ pc[w] = "S5"
  /\ LET v == loc[w].victim
         n == loc[w].count IN
     IF head[v] = loc[w].head
     THEN /\ head' = [head EXCEPT ![v].real = Plus(@, n)]
          /\ due' = [due EXCEPT ![w] = First(queue[v], n)]
          /\ queue' = [queue EXCEPT ![v] = Drop(@, n)]
          /\ Go(w, "S6", [Nil EXCEPT !.victim = v, !.count = n,
                                     !.index = loc[w].head.real])
     ELSE /\ Go(w, "S1", [Nil EXCEPT !.victim = v])
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

(* What S7 tries first: that the owner has not popped since the claim. *)
Predicted(l) == [steal |-> l.index, real |-> Plus(l.index, l.count)]

(* Stealer.StealInto and Ring.take, S6: take one claimed task and write it *)
(* to the thief's ring, but for the last, which will be returned.          *)
StealS6(w) ==
  /\ pc[w] = "S6"
  /\ LET l == loc[w]
         k == l.moved
         s == Slot(Plus(l.index, k))
         x == slots[l.victim][s] IN
     IF k + 1 < l.count
     THEN /\ slots' = [slots EXCEPT ![l.victim][s] = Emptied(@),
                                    ![w][Slot(Plus(tail[w], k))] = x]
          /\ Go(w, "S6", [l EXCEPT !.moved = k + 1])
     ELSE /\ slots' = [slots EXCEPT ![l.victim][s] = Emptied(@)]
          /\ Go(w, "S7", [Nil EXCEPT !.victim = l.victim, !.count = l.count,
                                     !.last = x, !.head = Predicted(l)])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

(* Ring.release, S7: CAS of head that gives the slots back. *)
StealS7(w) ==
  /\ pc[w] = "S7"
  /\ LET l == loc[w]
         r == l.head.real IN
     IF head[l.victim] # l.head
     THEN /\ Go(w, "S7load", l)
          /\ UNCHANGED <<head, returned, due>>
     ELSE /\ head' = [head EXCEPT ![l.victim] = [steal |-> r, real |-> r]]
          /\ IF l.count > 1
             THEN /\ Go(w, "S9", [Nil EXCEPT !.count = l.count, !.last = l.last])
                  /\ UNCHANGED <<returned, due>>
             ELSE /\ Give(l.last)
                  /\ due' = [due EXCEPT ![w] = <<>>]
                  /\ Return(w)
  /\ UNCHANGED <<tail, slots, inject, pushed, queue>>

(* Ring.release, S7: load head, after a failed CAS. *)
StealS7Load(w) ==
  /\ pc[w] = "S7load"
  /\ Go(w, "S7", [loc[w] EXCEPT !.head.real = head[loc[w].victim].real])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

(* Stealer.StealInto, S9: store dst.tail. *)
StealS9(w) ==
  /\ pc[w] = "S9"
  /\ LET n == loc[w].count IN
     /\ tail' = [tail EXCEPT ![w] = Plus(@, n - 1)]
     /\ queue' = [queue EXCEPT ![w] = @ \o First(due[w], n - 1)]
  /\ Give(loc[w].last)
  /\ due' = [due EXCEPT ![w] = <<>>]
  /\ Return(w)
  /\ UNCHANGED <<head, slots, inject, pushed>>

-----------------------------------------------------------------------------
Step(w) ==
  \/ PushP1(w) \/ PushP1Again(w) \/ PushP1Over(w) \/ PushP4(w) \/ PushP5(w)
  \/ PushO1(w) \/ PushO2(w) \/ PushO3(w) \/ PushO3Hand(w)
  \/ PopL1(w) \/ PopL4(w) \/ PopL5(w)
  \/ BatchP1(w) \/ BatchP4(w) \/ BatchP5(w)
  \/ StealS0(w) \/ StealS1(w) \/ StealS2(w) \/ StealS5(w) \/ StealS6(w)
  \/ StealS7(w) \/ StealS7Load(w) \/ StealS9(w)

Next == \E w \in Workers : Step(w)

Spec == Init /\ [][Next]_vars
=============================================================================
