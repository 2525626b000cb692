------------------------------ MODULE IdleBugs ------------------------------
(***************************************************************************)
(* Wrong trackers. Each definition below replaces one of Idle through the  *)
(* cfg of the same name in mutants/, and TLC must then find the claim      *)
(* violated that the cfg names.                                            *)
(***************************************************************************)
EXTENDS IdleMC

(* SearchUnchecked. A worker that adds itself to the searchers whatever    *)
(* has become of the word since it looked: upstream's two steps.           *)
SearchE2Unchecked(t) ==
  /\ pc[t] = "E2"
  /\ word' = Plus(word, 1, 0)
  /\ End(t, TRUE)
  /\ UNCHANGED <<lock, sleepers, standing, token>>

(* CountLate. A waker that leaves it to the woken worker to count itself   *)
(* as searching: until it does, others wake more.                          *)
WakeW4CASLate(t) ==
  /\ pc[t] = "W4cas"
  /\ IF word = loc[t].seen
     THEN LET w == sleepers[Len(sleepers)] IN
          /\ word' = Plus(word, 0, 1)
          /\ sleepers' = SubSeq(sleepers, 1, Len(sleepers) - 1)
          /\ standing' = [standing EXCEPT ![w] = "chosen"]
          /\ Go(t, "W6", [Keep(t) EXCEPT !.woken = <<w>>])
     ELSE Go(t, "W4", Keep(t)) /\ UNCHANGED <<word, sleepers, standing>>
  /\ Stay(t)
  /\ UNCHANGED <<lock, token>>

(* WakeAllUnlisted. A wake for all that leaves the list as it is: they     *)
(* list themselves again (tokio-rs/tokio#8372).                            *)
WakeAllA1Unlisted(t) ==
  /\ lock = None
  /\ lock' = t
  /\ Go(t, IF sleepers = <<>> THEN "A5" ELSE "A2",
        [Keep(t) EXCEPT !.woken = sleepers]) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* ParkUncounted. A park that lists the worker and does not count it out.  *)
ParkT3Uncounted(t) ==
  /\ pc[t] = "T3"
  /\ word' = Plus(word, IF loc[t].counted THEN -1 ELSE 0, 0)
  /\ sleepers' = Append(sleepers, t)
  /\ standing' = [standing EXCEPT ![t] = "listed"]
  /\ Go(t, "T5", [Nil EXCEPT !.look = LookDue(t, word')]) /\ Stay(t)
  /\ UNCHANGED <<lock, token>>
=============================================================================
