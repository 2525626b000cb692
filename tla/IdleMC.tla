------------------------------- MODULE IdleMC -------------------------------
(***************************************************************************)
(* Idle with the most general clients: workers publish, search, find or do *)
(* not, and sleep as they please; others wake for work or for another      *)
(* reason. It is finite as it is, so TLC looks at runs of every length.    *)
(***************************************************************************)
EXTENDS Idle

CONSTANTS a, b, c, x, y   \* the threads

vars == idleVars

Init == IdleInit /\ pc = [t \in Threads |-> "idle"]

(* An operation begins with its first step. Its thread may find the lock   *)
(* taken first.                                                            *)
Prepared(t, label, after) ==
  /\ pc' = [pc EXCEPT ![t] = label]
  /\ ret' = [ret EXCEPT ![t] = after]
  /\ UNCHANGED <<word, lock, sleepers, standing, token, loc>>

Call(t, op) ==
  /\ pc[t] = "idle"
  /\ CASE op = "wake" -> Prepared(t, "W1", "idle")
       [] op = "try" ->
            /\ t \in Workers /\ ~loc[t].counted
            /\ Prepared(t, "E1", "idle")
       [] op = "stop" ->
            /\ t \in Workers /\ loc[t].counted
            /\ Prepared(t, "X1", "idle")
       [] op = "park" -> t \in Workers /\ Prepared(t, "T2", "asleep")
       [] op = "all" -> t \in Outside /\ Prepared(t, "A1", "idle")
       [] op = "one" -> t \in Outside /\ Prepared(t, "V1", "idle")

(* Tracker.Park, T6: look at every source: whether anything is there is    *)
(* anybody's guess.                                                        *)
LookT6(t, found) ==
  /\ pc[t] = "T6"
  /\ IF found THEN Go(t, "W1", Nil) /\ Stay(t) ELSE End(t, FALSE)
  /\ UNCHANGED <<word, lock, sleepers, standing, token>>

(* The worker sleeps until there is a token, and then asks how it stands.  *)
Sleep(t) ==
  /\ pc[t] = "asleep"
  /\ token[t]
  /\ token' = [token EXCEPT ![t] = FALSE]
  /\ Go(t, "F1", Nil)
  /\ ret' = [ret EXCEPT ![t] = "idle"]
  /\ UNCHANGED <<word, lock, sleepers, standing>>

WakeAllLock(t) == pc[t] = "A1" /\ WakeAllA1(t)
WakeWorkerLock(t) == pc[t] = "V1" /\ \E w \in Workers : WakeWorkerV1(t, w)

Step(t) ==
  \/ \E op \in {"wake", "try", "stop", "park", "all", "one"} : Call(t, op)
  \/ Within(t)
  \/ ParkT5(t, "T6")
  \/ \E found \in BOOLEAN : LookT6(t, found)
  \/ Sleep(t)
  \/ ResumeF4(t, "asleep")
  \/ WakeAllLock(t) \/ WakeWorkerLock(t)

Next == \E t \in Threads : Step(t)

Spec == Init /\ [][Next]_vars

TypeOK == IdleTypeOK

-----------------------------------------------------------------------------
(* Witnesses *)
NeverBound == ~ \E t \in Workers : pc[t] = "E1" /\ word.searching >= Bound
=============================================================================
