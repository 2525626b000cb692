------------------------------ MODULE Semaphore ------------------------------
(***************************************************************************)
(* What the users of a parker may rely on: a binary semaphore with one     *)
(* owner, who waits for it, and that can be closed for good. Module ParkMC *)
(* checks that Park implements this.                                       *)
(***************************************************************************)
VARIABLES
  token,    \* whether there is one
  closed,   \* whether there will be no more waiting
  waits     \* whether the owner waits for a token

vars == <<token, closed, waits>>

Init == token = FALSE /\ closed = FALSE /\ waits = FALSE

(* Any number of gifts are one token. *)
Give ==
  /\ token' = TRUE
  /\ UNCHANGED <<closed, waits>>

Close ==
  /\ closed' = TRUE
  /\ UNCHANGED <<token, waits>>

Wait ==
  /\ waits' = TRUE
  /\ UNCHANGED <<token, closed>>

(* Also by an owner who did not have to wait. *)
Take ==
  /\ token
  /\ token' = FALSE
  /\ waits' = FALSE
  /\ UNCHANGED closed

Leave ==
  /\ closed
  /\ waits' = FALSE
  /\ UNCHANGED <<token, closed>>

Next == Give \/ Close \/ Wait \/ Take \/ Leave

(* An owner who waits does not wait for ever if there is a token, or if    *)
(* the semaphore is closed.                                                *)
Spec == Init /\ [][Next]_vars /\ WF_vars(waits /\ (Take \/ Leave))
=============================================================================
