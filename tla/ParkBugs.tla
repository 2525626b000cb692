------------------------------ MODULE ParkBugs ------------------------------
(***************************************************************************)
(* Wrong parkers. Each definition below replaces one of Park through the   *)
(* cfg of the same name in mutants/, and TLC must then find the claim      *)
(* violated that the cfg names.                                            *)
(***************************************************************************)
EXTENDS ParkMC

(* TokenIgnored. A park that does not look whether a token has come before *)
(* it sleeps.                                                              *)
ParkK3Blind ==
  /\ pc[Owner] = "K3"
  /\ state' = "parked"
  /\ Go(Owner, "K5")
  /\ UNCHANGED <<closed, lock, waiting, history>>

(* TokenStays. A park that finds a token leaves it there.                  *)
ParkK1Stays ==
  /\ pc[Owner] = "idle"
  /\ IF state = "notified"
     THEN UNCHANGED state /\ Took /\ Return(Owner)
     ELSE Go(Owner, "K0") /\ UNCHANGED <<state, history>>
  /\ UNCHANGED <<closed, lock, waiting>>

(* UnparkSkips. An Unpark that finds a token leaves the word as it is: its *)
(* caller's writes are not published.                                      *)
UnparkU1Skips(u) ==
  /\ pc[u] \in {"idle", "U1"}
  /\ state' = "notified"
  /\ IF state = "parked" THEN Go(u, "U2") ELSE Return(u)
  /\ credit' = 1
  /\ owed' = owed \cup {u}
  /\ word' = IF state = "notified" THEN word ELSE word \cup {u}
  /\ UNCHANGED <<closed, lock, waiting, missing>>

(* StoreForSwap. A park that finds a token before it sleeps stores EMPTY   *)
(* without reading what the Unpark has published.                          *)
ParkK3Store ==
  /\ pc[Owner] = "K3swap"
  /\ state' = "empty"
  /\ credit' = credit - 1
  /\ missing' = owed
  /\ owed' = {}
  /\ word' = {}
  /\ Go(Owner, "K6")
  /\ UNCHANGED <<closed, lock, waiting>>

(* SignalUnlocked. An Unpark that signals without having had the lock: the *)
(* owner is not waiting yet.                                               *)
UnparkU1Unlocked(u) ==
  /\ pc[u] \in {"idle", "U1"}
  /\ state' = "notified"
  /\ IF state = "parked" THEN Go(u, "U3") ELSE Return(u)
  /\ credit' = 1
  /\ owed' = owed \cup {u}
  /\ word' = word \cup {u}
  /\ UNCHANGED <<closed, lock, waiting, missing>>

(* CloseSilent. A Close that wakes nobody.                                 *)
CloseC1Silent(u) ==
  /\ pc[u] = "idle"
  /\ MayClose
  /\ closed' = TRUE
  /\ UNCHANGED <<state, lock, waiting, pc, history>>

(* UnparkCAS. An Unpark that leaves a token only for an owner who sleeps.  *)
UnparkU1CAS(u) ==
  /\ pc[u] \in {"idle", "U1"}
  /\ IF state = "parked"
     THEN state' = "notified" /\ Go(u, "U2")
     ELSE UNCHANGED state /\ Return(u)
  /\ credit' = 1
  /\ owed' = owed \cup {u}
  /\ word' = word \cup {u}
  /\ UNCHANGED <<closed, lock, waiting, missing>>
=============================================================================
