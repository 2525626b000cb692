----------------------------- MODULE InjectBugs -----------------------------
(***************************************************************************)
(* Wrong inject queues. Each definition below replaces one of Inject       *)
(* through the cfg of the same name in mutants/, and TLC must then find    *)
(* the claim violated that the cfg names.                                  *)
(***************************************************************************)
EXTENDS InjectMC

(* NewestFirst. A stack. *)
NewestFirst(s, n) == [k \in 1..n |-> s[Len(s) + 1 - k]]
PopN2Newest(t) ==
  /\ pc[t] = "N2"
  /\ lock = None
  /\ lock' = t
  /\ LET n == Min(space[t], Len(list)) IN
     /\ hand' = [hand EXCEPT ![t] = NewestFirst(list, n)]
     /\ list' = First(list, Len(list) - n)
  /\ Go(t, "N4")
  /\ space' = [space EXCEPT ![t] = 0]
  /\ UNCHANGED <<length, closed, pushed, history>>

(* ClosedEarly. A push that looks whether the queue is closed before it    *)
(* has the lock.                                                           *)
EnterUnlooked(t, tasks) ==
  /\ lock = None
  /\ lock' = t
  /\ hand' = [hand EXCEPT ![t] = tasks]
  /\ IF t \in late
     THEN Go(t, "I5closed") /\ UNCHANGED list
     ELSE Go(t, "I4") /\ list' = list \o tasks
  /\ UNCHANGED <<length, closed, space, queue, popped, refused>>

(* ClosedIgnored. A push that does not look at all.                        *)
EnterAlways(t, tasks) ==
  /\ lock = None
  /\ lock' = t
  /\ hand' = [hand EXCEPT ![t] = tasks]
  /\ Go(t, "I4")
  /\ list' = list \o tasks
  /\ UNCHANGED <<length, closed, space, queue, popped, refused>>

(* LengthUnlocked. A pop that gives the lock back before it stores the     *)
(* length: it stores what it computed behind the lock.                     *)
PopN4Late(t) ==
  /\ pc[t] = "N4"
  /\ lock' = None
  /\ space' = [space EXCEPT ![t] = Len(list)]
  /\ Go(t, "N6")
  /\ UNCHANGED <<length, closed, list, hand, pushed, history>>
PopN6Late(t) ==
  /\ pc[t] = "N6"
  /\ length' = space[t]
  /\ popped' = popped \o hand[t]
  /\ space' = [space EXCEPT ![t] = 0]
  /\ Return(t)
  /\ UNCHANGED <<lock, closed, list, pushed, late, queue, refused>>

(* PeekedTask. A pop that leaves its tasks in the list.                    *)
PopN2Peeks(t) ==
  /\ pc[t] = "N2"
  /\ lock = None
  /\ lock' = t
  /\ hand' = [hand EXCEPT ![t] = First(list, Min(space[t], Len(list)))]
  /\ Go(t, "N4")
  /\ space' = [space EXCEPT ![t] = 0]
  /\ UNCHANGED <<length, closed, list, pushed, history>>

(* LockKept. A push that is refused does not give the lock back.           *)
PushI5ClosedKept(t) ==
  /\ pc[t] = "I5closed"
  /\ late' = late \ {t}
  /\ refused' = refused \cup Range(hand[t])
  /\ Return(t)
  /\ UNCHANGED <<length, lock, closed, list, space, pushed, queue, popped>>

(* RefusedDropped. A batch that finds the queue closed is forgotten.       *)
PushI5ClosedDropped(t) ==
  /\ pc[t] = "I5closed"
  /\ lock' = None
  /\ late' = late \ {t}
  /\ Return(t)
  /\ UNCHANGED <<length, closed, list, space, pushed, queue, popped, refused>>
=============================================================================
