-------------------------------- MODULE Park --------------------------------
(***************************************************************************)
(* The parker of package park: a token, and a place where its owner waits  *)
(* for it. There is one action for each operation on an atomic word, on    *)
(* the lock and on the condition variable, in the order that the package   *)
(* documentation of park gives; an action is named after the operation and *)
(* the label of the step there, and its comment names the Go function.     *)
(*                                                                         *)
(* The states and the order are those of Tokio's multi-thread parker       *)
(* (tokio/src/runtime/scheduler/multi_thread/park.rs, 1.53), which are     *)
(* those of Rust's std::thread::park. That the owner holds the lock from   *)
(* its CAS until it waits, and that who wakes it takes the lock before it  *)
(* signals, is what keeps the signal from coming in between.               *)
(*                                                                         *)
(* Parks without a timeout are modelled.                                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Owner,      \* who parks
  Wakers,     \* who unpark and close
  MayClose,   \* whether they close
  None        \* nobody

ASSUME WakersAssumption ==
  IsFiniteSet(Wakers) /\ Owner \notin Wakers /\ None \notin Wakers \cup {Owner}
ASSUME MayCloseAssumption == MayClose \in BOOLEAN

VARIABLES
  state,    \* "empty", "parked" or "notified", an atomic word
  closed,   \* an atomic word
  lock,     \* who holds the lock, or None
  waiting,  \* whether the owner is among those that a signal wakes
  pc,       \* thread -> the label of its next step; "idle" between calls
  credit,   \* history: how many Parks may return with a token, 0 or 1
  owed,     \* history: who has unparked since a token was taken last
  word,     \* history: whose writes state carries: who has swapped it since
  missing   \* history: whose writes the last Park should have seen and has not

history == <<credit, owed, word, missing>>
vars == <<state, closed, lock, waiting, pc, history>>

Threads == Wakers \cup {Owner}
Labels == {"idle", "K0", "K2", "K3", "K3swap", "K4", "K4unlock", "K4lock",
           "K5", "K6", "U1", "U2", "U2unlock", "U3"}

Go(t, label) == pc' = [pc EXCEPT ![t] = label]
Return(t) == Go(t, "idle")

Init ==
  /\ state = "empty"
  /\ closed = FALSE
  /\ lock = None
  /\ waiting = FALSE
  /\ pc = [t \in Threads |-> "idle"]
  /\ credit = 0
  /\ owed = {}
  /\ word = {}
  /\ missing = {}

(* The owner takes a token by an operation that reads the word. What was   *)
(* written before the swaps of Unpark since the last one is then visible   *)
(* to it: each of them, and each CAS in between, hands on what it reads.   *)
Took ==
  /\ credit' = credit - 1
  /\ missing' = owed \ word
  /\ owed' = {}
  /\ word' = {}

-----------------------------------------------------------------------------
(* Park *)

(* Parker.ready, K1: CAS NOTIFIED to EMPTY. *)
ParkK1 ==
  /\ pc[Owner] = "idle"
  /\ IF state = "notified"
     THEN state' = "empty" /\ Took /\ Return(Owner)
     ELSE Go(Owner, "K0") /\ UNCHANGED <<state, history>>
  /\ UNCHANGED <<closed, lock, waiting>>

(* Parker.ready, K0: load closed. *)
ParkK0 ==
  /\ pc[Owner] = "K0"
  /\ IF closed THEN Return(Owner) ELSE Go(Owner, "K2")
  /\ UNCHANGED <<state, closed, lock, waiting, history>>

(* Parker.Park, K2: lock. *)
ParkK2 ==
  /\ pc[Owner] = "K2"
  /\ lock = None
  /\ lock' = Owner
  /\ Go(Owner, "K3")
  /\ UNCHANGED <<state, closed, waiting, history>>

(* Parker.sleep, K3: CAS EMPTY to PARKED. *)
ParkK3 ==
  /\ pc[Owner] = "K3"
  /\ IF state = "empty"
     THEN state' = "parked" /\ Go(Owner, "K5")
     ELSE Go(Owner, "K3swap") /\ UNCHANGED state
  /\ UNCHANGED <<closed, lock, waiting, history>>

(* Parker.sleep, K3: swap EMPTY, since a token has come. *)
ParkK3Swap ==
  /\ pc[Owner] = "K3swap"
  /\ state' = "empty"
  /\ Took
  /\ Go(Owner, "K6")
  /\ UNCHANGED <<closed, lock, waiting>>

(* Parker.Park, K5: CAS NOTIFIED to EMPTY. *)
ParkK5 ==
  /\ pc[Owner] = "K5"
  /\ IF state = "notified"
     THEN state' = "empty" /\ Took /\ Go(Owner, "K6")
     ELSE Go(Owner, "K4") /\ UNCHANGED <<state, history>>
  /\ UNCHANGED <<closed, lock, waiting>>

(* Parker.Park, K4: wait: from here on a signal finds the owner. *)
ParkK4 ==
  /\ pc[Owner] = "K4"
  /\ waiting' = TRUE
  /\ Go(Owner, "K4unlock")
  /\ UNCHANGED <<state, closed, lock, history>>

(* Parker.Park, K4: wait: unlock, and sleep until there was a signal. *)
ParkK4Unlock ==
  /\ pc[Owner] = "K4unlock"
  /\ lock' = None
  /\ Go(Owner, "K4lock")
  /\ UNCHANGED <<state, closed, waiting, history>>

(* Parker.Park, K4: wait: woken, lock. *)
ParkK4Lock ==
  /\ pc[Owner] = "K4lock"
  /\ ~waiting
  /\ lock = None
  /\ lock' = Owner
  /\ Go(Owner, "K5")
  /\ UNCHANGED <<state, closed, waiting, history>>

(* Parker.Park, K6: unlock. *)
ParkK6 ==
  /\ pc[Owner] = "K6"
  /\ lock' = None
  /\ Return(Owner)
  /\ UNCHANGED <<state, closed, waiting, history>>

-----------------------------------------------------------------------------
(* Unpark and Close *)

(* Parker.Unpark, U1: swap NOTIFIED. *)
UnparkU1(u) ==
  /\ pc[u] \in {"idle", "U1"}
  /\ state' = "notified"
  /\ IF state = "parked" THEN Go(u, "U2") ELSE Return(u)
  /\ credit' = 1
  /\ owed' = owed \cup {u}
  /\ word' = word \cup {u}
  /\ UNCHANGED <<closed, lock, waiting, missing>>

(* Parker.Unpark, U2: lock. *)
UnparkU2(u) ==
  /\ pc[u] = "U2"
  /\ lock = None
  /\ lock' = u
  /\ Go(u, "U2unlock")
  /\ UNCHANGED <<state, closed, waiting, history>>

(* Parker.Unpark, U2: unlock. *)
UnparkU2Unlock(u) ==
  /\ pc[u] = "U2unlock"
  /\ lock' = None
  /\ Go(u, "U3")
  /\ UNCHANGED <<state, closed, waiting, history>>

(* Parker.Unpark, U3: signal. *)
UnparkU3(u) ==
  /\ pc[u] = "U3"
  /\ waiting' = FALSE
  /\ Return(u)
  /\ UNCHANGED <<state, closed, lock, history>>

(* Parker.Close, C1: store closed. *)
CloseC1(u) ==
  /\ pc[u] = "idle"
  /\ MayClose
  /\ closed' = TRUE
  /\ Go(u, "U1")
  /\ UNCHANGED <<state, lock, waiting, history>>

-----------------------------------------------------------------------------
OwnerStep ==
  \/ ParkK1 \/ ParkK0 \/ ParkK2 \/ ParkK3 \/ ParkK3Swap
  \/ ParkK5 \/ ParkK4 \/ ParkK4Unlock \/ ParkK4Lock \/ ParkK6
WakerStep(u) ==
  \/ UnparkU1(u) \/ UnparkU2(u) \/ UnparkU2Unlock(u) \/ UnparkU3(u)
  \/ CloseC1(u)

Next == OwnerStep \/ \E u \in Wakers : WakerStep(u)

Spec == Init /\ [][Next]_vars

(* Who is in a call goes on. Nobody has to begin one.                      *)
FairSpec ==
  /\ Spec
  /\ WF_vars(pc[Owner] # "idle" /\ OwnerStep)
  /\ \A u \in Wakers : WF_vars(pc[u] # "idle" /\ WakerStep(u))
=============================================================================
