---------------------------- MODULE RingQueueBugs ----------------------------
(***************************************************************************)
(* Wrong rings. Each definition below replaces one of RingQueue through    *)
(* the cfg of the same name in mutants/, `Right <- Wrong`, and TLC must    *)
(* then find the claim violated that the cfg names. A specification whose  *)
(* mistakes are not found says nothing about its correctness.              *)
(***************************************************************************)
EXTENDS RingQueueMC

(* Rings that are not empty at the start bring a bug closer. *)
AHasFour == [w \in Workers |-> IF w = a THEN <<1, 2, 3, 4>> ELSE <<>>]
AHasFourBThree == [w \in Workers |-> CASE w = a -> <<1, 2, 3, 4>>
                                       [] w = b -> <<5, 6, 7>>
                                       [] OTHER -> <<>>]

-----------------------------------------------------------------------------
(* CapacityFromReal. The owner overwrites a slot that a thief is copying.  *)
HasRoomFromReal(t, h) == Minus(t, h.real) < Cap

(* RoomFromReal. The same, by a thief that fills its own ring.             *)
MayReceiveFromReal(t, h) == Minus(t, h.real) <= Half

(* BusyIgnored. A second thief claims while the first is copying.          *)
NobodyActive(h) == FALSE

(* StealAll. The thief takes everything, as long as that is half the       *)
(* capacity.                                                               *)
StealEverything(visible) == visible

(* StaleIsEmpty. A pair of head and tail that cannot be consistent is      *)
(* taken for an empty ring.                                                *)
SaysEmptyWhenStale(visible) == visible = 0 \/ IsStale(visible)

(* SlotKept. A task that was taken stays in its slot.                      *)
Kept(x) == x

(* PopReleases. A pop during a steal moves steal too: the thief's claim is *)
(* gone while it copies.                                                   *)
PoppedBoth(h) == [steal |-> Plus(h.real, 1), real |-> Plus(h.real, 1)]

-----------------------------------------------------------------------------
(* PublishFirst. P5 before P4: a thief takes an unwritten slot.            *)
AfterP1Publish(w, x) ==
  LET h == head[w] IN
  IF HasRoom(tail[w], h) THEN Go(w, "P5", [Nil EXCEPT !.task = x])
  ELSE IF Active(h) THEN Go(w, "P1over", [Nil EXCEPT !.task = x])
  ELSE Go(w, "O1", [Nil EXCEPT !.task = x, !.head = h])

PushP5First(w) ==
  /\ pc[w] = "P5"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, 1)]
  /\ queue' = [queue EXCEPT ![w] = Append(@, loc[w].task)]
  /\ Go(w, "P4", loc[w])
  /\ UNCHANGED <<head, slots, inject, pushed, returned, due>>

PushP4Last(w) ==
  /\ pc[w] = "P4"
  /\ slots' = [slots EXCEPT ![w][Slot(tail[w] + Modulus - 1)] = loc[w].task]
  /\ Return(w)
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

(* The slot that P4 is about to write, now that tail is past it.           *)
FillsPublished(w) ==
  CASE pc[w] = "P4" -> SlotsFrom(w, Minus(tail[w], 1), 1)
    [] pc[w] = "S6" /\ loc[w].moved + 1 < loc[w].count
         -> SlotsFrom(w, Plus(tail[w], loc[w].moved), 1)
    [] OTHER -> {}

-----------------------------------------------------------------------------
(* TailFirst. An overflow stores tail, then takes the tasks by its CAS: in *)
(* between, and for ever if the CAS fails, tail promises tasks that are    *)
(* not there.                                                              *)
AfterP1Tail(w, x) ==
  LET h == head[w] IN
  IF HasRoom(tail[w], h) THEN Go(w, "P4", [Nil EXCEPT !.task = x])
  ELSE IF Active(h) THEN Go(w, "P1over", [Nil EXCEPT !.task = x])
  ELSE Go(w, "O2", [Nil EXCEPT !.task = x, !.head = h])

PushO2First(w) ==
  /\ pc[w] = "O2"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, Half)]
  /\ Go(w, "O1", loc[w])
  /\ UNCHANGED <<head, slots, inject, pushed, returned, queue, due>>

PushO1Last(w) ==
  LET t == Minus(tail[w], Half) IN
  /\ pc[w] = "O1"
  /\ IF head[w] = loc[w].head
     THEN /\ head' = [head EXCEPT ![w] = [steal |-> t, real |-> t]]
          /\ due' = [due EXCEPT ![w] = queue[w]]
          /\ queue' = [queue EXCEPT ![w] = First(@, Half)]
          /\ Go(w, "O3", [Nil EXCEPT !.task = loc[w].task])
     ELSE /\ Go(w, "P1", [Nil EXCEPT !.task = loc[w].task])
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

-----------------------------------------------------------------------------
(* TailForgotten. An overflow does not store tail: the oldest half stays   *)
(* in slots that nobody will look at.                                      *)
PushO2Omitted(w) ==
  /\ pc[w] = "O2"
  /\ queue' = [queue EXCEPT ![w] = First(due[w], Half)]
  /\ Go(w, "O3", loc[w])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, due>>

PushO3Unmoved(w) ==
  /\ pc[w] = "O3"
  /\ LET s == Slot(Plus(tail[w], Half + Len(loc[w].batch)))
         l == Append(loc[w].batch, slots[w][s]) IN
     /\ slots' = [slots EXCEPT ![w][s] = None]
     /\ Go(w, IF Len(l) = Half THEN "O3hand" ELSE "O3",
           [loc[w] EXCEPT !.batch = l])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

-----------------------------------------------------------------------------
(* WrongHalf. An overflow hands the oldest half over and keeps the newest. *)
PushO1Oldest(w) ==
  LET r == Plus(loc[w].head.real, Half) IN
  /\ pc[w] = "O1"
  /\ IF head[w] = loc[w].head
     THEN /\ head' = [head EXCEPT ![w] = [steal |-> r, real |-> r]]
          /\ due' = [due EXCEPT ![w] = queue[w]]
          /\ queue' = [queue EXCEPT ![w] = Drop(@, Half)]
          /\ Go(w, "O3", [Nil EXCEPT !.task = loc[w].task])
     ELSE /\ Go(w, "P1", [Nil EXCEPT !.task = loc[w].task])
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

-----------------------------------------------------------------------------
(* PopStore. The owner stores head without comparing: a thief that claimed *)
(* in between takes from the same slot.                                    *)
PopL4Store(w) ==
  /\ pc[w] = "L4"
  /\ head' = [head EXCEPT ![w] = Popped(loc[w].head)]
  /\ due' = [due EXCEPT ![w] = First(queue[w], 1)]
  /\ queue' = [queue EXCEPT ![w] = Drop(@, 1)]
  /\ Go(w, "L5", [Nil EXCEPT !.index = loc[w].head.real])
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

-----------------------------------------------------------------------------
(* TailBeforeHead. The thief loads tail, then head, and does not look      *)
(* whether the two can be consistent: the owner has popped in between, and *)
(* the difference wraps. The order is S2, S1, S5.                          *)
StealS0TailNext(w) ==
  /\ pc[w] = "idle"
  /\ w \in Thieves
  /\ MayReceive(tail[w], head[w])
  /\ \E v \in Workers \ {w} : Go(w, "S2", [Nil EXCEPT !.victim = v])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

StealS2First(w) ==
  /\ pc[w] = "S2"
  /\ Go(w, "S1", [loc[w] EXCEPT !.tail = tail[loc[w].victim]])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

StealS1Last(w) ==
  /\ pc[w] = "S1"
  /\ LET h == head[loc[w].victim]
         n == StealCount(Minus(loc[w].tail, h.real)) IN
     IF Active(h) \/ n = 0 THEN Return(w)
     ELSE Go(w, "S5", [loc[w] EXCEPT !.head = h, !.count = n])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

-----------------------------------------------------------------------------
(* ReleaseFirst. S7 before S6: the owner fills the slots under the copy.   *)
StealS5Released(w) ==
  /\ pc[w] = "S5"
  /\ LET v == loc[w].victim
         n == loc[w].count
         l == [Nil EXCEPT !.victim = v, !.count = n, !.index = loc[w].head.real] IN
     IF head[v] = loc[w].head
     THEN /\ head' = [head EXCEPT ![v].real = Plus(@, n)]
          /\ due' = [due EXCEPT ![w] = First(queue[v], n)]
          /\ queue' = [queue EXCEPT ![v] = Drop(@, n)]
          /\ Go(w, "S7", [l EXCEPT !.head = Predicted(l)])
     ELSE /\ Go(w, "S1", [Nil EXCEPT !.victim = v])
          /\ UNCHANGED <<head, queue, due>>
  /\ UNCHANGED <<tail, slots, inject, pushed, returned>>

StealS7First(w) ==
  /\ pc[w] = "S7"
  /\ LET l == loc[w] IN
     IF head[l.victim] # l.head
     THEN /\ Go(w, "S7load", l)
          /\ UNCHANGED head
     ELSE /\ head' = [head EXCEPT ![l.victim].steal = l.head.real]
          /\ Go(w, "S6", [l EXCEPT !.head = Nil.head])
  /\ UNCHANGED <<tail, slots, inject, pushed, returned, queue, due>>

-----------------------------------------------------------------------------
(* ReleaseBlind. A release that failed does not look where the owner's     *)
(* pops have brought real: it fails for ever.                              *)
StealS7LoadNothing(w) ==
  /\ pc[w] = "S7load"
  /\ Go(w, "S7", loc[w])
  /\ UNCHANGED <<head, tail, slots, inject, pushed, returned, queue, due>>

-----------------------------------------------------------------------------
(* CopyReversed. The thief moves the newest of the claimed tasks first.    *)
StealS6Reversed(w) ==
  /\ pc[w] = "S6"
  /\ LET l == loc[w]
         k == l.moved
         s == Slot(Plus(l.index, l.count - 1 - k))
         x == slots[l.victim][s] IN
     IF k + 1 < l.count
     THEN /\ slots' = [slots EXCEPT ![l.victim][s] = None,
                                    ![w][Slot(Plus(tail[w], k))] = x]
          /\ Go(w, "S6", [l EXCEPT !.moved = k + 1])
     ELSE /\ slots' = [slots EXCEPT ![l.victim][s] = None]
          /\ Go(w, "S7", [Nil EXCEPT !.victim = l.victim, !.count = l.count,
                                     !.last = x, !.head = Predicted(l)])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

-----------------------------------------------------------------------------
(* LastTwice. The thief publishes all that it stole in its own ring, the   *)
(* task that it returns included.                                          *)
StealS6All(w) ==
  /\ pc[w] = "S6"
  /\ LET l == loc[w]
         k == l.moved
         s == Slot(Plus(l.index, k))
         x == slots[l.victim][s] IN
     /\ slots' = [slots EXCEPT ![l.victim][s] = None,
                               ![w][Slot(Plus(tail[w], k))] = x]
     /\ IF k + 1 < l.count
        THEN Go(w, "S6", [l EXCEPT !.moved = k + 1])
        ELSE Go(w, "S7", [Nil EXCEPT !.victim = l.victim, !.count = l.count,
                                     !.last = x, !.head = Predicted(l)])
  /\ UNCHANGED <<head, tail, inject, pushed, returned, queue, due>>

StealS9All(w) ==
  /\ pc[w] = "S9"
  /\ tail' = [tail EXCEPT ![w] = Plus(@, loc[w].count)]
  /\ queue' = [queue EXCEPT ![w] = @ \o due[w]]
  /\ Give(loc[w].last)
  /\ due' = [due EXCEPT ![w] = <<>>]
  /\ Return(w)
  /\ UNCHANGED <<head, slots, inject, pushed>>
=============================================================================
