------------------------------- MODULE ParkMC -------------------------------
(***************************************************************************)
(* What package park claims of its parker, and that Park implements        *)
(* Semaphore. The names of the claims are those of package model, which    *)
(* has a sentence for each.                                                *)
(***************************************************************************)
EXTENDS Park

CONSTANTS p, q, r   \* the threads

TypeOK ==
  /\ state \in {"empty", "parked", "notified"}
  /\ closed \in BOOLEAN
  /\ lock \in Threads \cup {None}
  /\ waiting \in BOOLEAN
  /\ pc \in [Threads -> Labels]
  /\ credit \in Int
  /\ owed \subseteq Wakers /\ word \subseteq Wakers /\ missing \subseteq Wakers

Asleep == pc[Owner] = "K4lock" /\ waiting
AtRest == \A u \in Wakers : pc[u] = "idle"

(* The owner does not sleep beside a token that somebody has left.         *)
TokenKept == ~(Asleep /\ credit = 1 /\ AtRest)

(* No Park returns with a token that another one has taken.                *)
TokenSingle == credit \in {0, 1}

(* A Park that takes a token sees what each Unpark since the last one has  *)
(* published.                                                              *)
UnparkPublishes == missing = {}

-----------------------------------------------------------------------------
(* Under FairSpec *)

TokenReleases == (credit = 1 /\ pc[Owner] # "idle") ~> pc[Owner] = "idle"
ShutdownWakes == closed ~> pc[Owner] = "idle"

Permit == INSTANCE Semaphore WITH
  token <- state = "notified",
  waits <- pc[Owner] \notin {"idle", "K6"}

Refines == Permit!Spec

THEOREM FairSpec => Permit!Spec

-----------------------------------------------------------------------------
(* Witnesses *)
NeverAsleep == ~Asleep
NeverInTime == pc[Owner] # "K3swap"
NeverClosedAwake == ~(closed /\ pc[Owner] = "K3")
=============================================================================
