------------------------------ MODULE SchedBugs ------------------------------
(***************************************************************************)
(* Wrong schedulers. Each definition below replaces one of Sched or Idle   *)
(* through the cfg of the same name in mutants/, and TLC must then find    *)
(* the claim violated that the cfg names.                                  *)
(***************************************************************************)
EXTENDS SchedMC

(* UpstreamLook. Only a worker that was itself the last searcher looks     *)
(* before it sleeps: Tokio's rule (worker.rs, transition_to_parked, 1.53). *)
LookIfLastSearcher(t, after) == loc[t].counted /\ after.searching = 0

(* NoLook. Nobody looks. *)
LookNever(t, after) == FALSE

(* SilentRefill. A refill publishes tasks and wakes nobody: Tokio's rule   *)
(* (worker.rs, next_remote_task_batch, 1.53).                              *)
RefillPushSilent(w) ==
  /\ pc[w] = "refill push"
  /\ q' = [q EXCEPT !.ring[w] = @ + me[w].hand - 1]
  /\ me' = [me EXCEPT ![w] = Ran(@)]
  /\ Found(w)
  /\ UNCHANGED <<rest, row>>

(* NotifyFirst. A submitter looks at the idle word before it pushes.       *)
SubmitAfter(s) ==
  \/ /\ pc[s] = "submit"
     /\ left[s] > 0
     /\ left' = [left EXCEPT ![s] = @ - 1]
     /\ Call(s, "W1", "push after")
     /\ UNCHANGED <<q, me, spawns, accepted, done, row>>
  \/ /\ pc[s] = "push after"
     /\ q' = [q EXCEPT !.inject = @ + 1]
     /\ accepted' = accepted + 1
     /\ To(s, "submit")
     /\ UNCHANGED <<me, left, spawns, done, row>>

(* SpawnSilent, SpawnStrands. A spawn into the ring wakes nobody.          *)
SpawnPushSilent(w) ==
  /\ pc[w] = "push" \/ (pc[w] = "spawn" /\ ~SlotOpen(me[w]))
  /\ q' = [q EXCEPT !.ring[w] = @ + 1]
  /\ To(w, "task")
  /\ UNCHANGED <<me, rest, row>>

(* NoChain. The last searcher that found a task wakes nobody.              *)
StopX1NoChain(t) ==
  /\ pc[t] = "X1"
  /\ word' = Plus(word, -1, 0)
  /\ End(t, FALSE)
  /\ UNCHANGED <<lock, sleepers, standing, token>>

(* TokenDropped. A worker that clears its parker before it sleeps: a park  *)
(* that ignores a token.                                                   *)
SleptClosedDrops(w) ==
  /\ pc[w] = "slept closed"
  /\ pc' = [pc EXCEPT ![w] = IF q.closed THEN "drained" ELSE "asleep"]
  /\ token' = [token EXCEPT ![w] = FALSE]
  /\ UNCHANGED <<word, lock, sleepers, standing, loc, ret, q, me, rest, row>>

(* CloseLate. A stop that sets the flag, wakes all, and then closes        *)
(* inject: the workers leave, and a task comes in after them.              *)
CloseInjectLater(k) ==
  /\ pc[k] = "close"
  /\ q' = [q EXCEPT !.closed = TRUE]
  /\ Call(k, "A1", "close flag")
  /\ UNCHANGED <<me, rest, row>>
CloseFlagLater(k) ==
  /\ pc[k] = "close flag"
  /\ q' = [q EXCEPT !.shut = TRUE]
  /\ To(k, "closed")
  /\ UNCHANGED <<me, rest, row>>

(* DrainedUncounted. A worker that ends the scheduler when inject is       *)
(* empty, while others run tasks that may spawn, or have some.             *)
DrainedCountIgnored(w) ==
  /\ pc[w] = "drained count"
  /\ To(w, "end")
  /\ UNCHANGED <<q, me, rest, row>>

(* CloseQuiet. A stop that wakes nobody. *)
CloseFlagQuiet(k) ==
  /\ pc[k] = "close flag"
  /\ q' = [q EXCEPT !.closed = TRUE]
  /\ To(k, "closed")
  /\ UNCHANGED <<me, rest, row>>

(* EndUnlooked. A worker that does not look whether the end has come after *)
(* it was listed: the wake for all has passed it by.                       *)
SleptOverUnlooked(w) ==
  /\ pc[w] = "slept"
  /\ To(w, "slept closed")
  /\ UNCHANGED <<q, me, rest, row>>
DrainedCountOver(w) ==
  /\ pc[w] = "drained count"
  /\ To(w, IF word.unparked = 0 /\ ~q.over THEN "end" ELSE "asleep")
  /\ UNCHANGED <<q, me, rest, row>>

(* SlotForEver. Tasks of the LIFO slot run in a row without a bound.       *)
SlotAlwaysOpen(m) == LIFOCap > 0

(* InjectNever. Inject never comes first. *)
NeverDue(w) == FALSE

(* SpinForEver. A worker that finds nothing looks again, and never sleeps. *)
OverSpins(w) ==
  /\ pc[w] = "over"
  /\ IF loc[w].counted THEN Call(w, "X1", "next") ELSE To(w, "next")
  /\ UNCHANGED <<q, me, rest, row>>

(* LastDropped. A thief that forgets the task that a steal returns.        *)
StealReleaseDrops(w) ==
  /\ pc[w] = "release"
  /\ q' = [q EXCEPT !.thief[me[w].at] = None]
  /\ IF me[w].hand = 1
     THEN me' = [me EXCEPT ![w] = Idled(@)] /\ To(w, "again")
     ELSE me' = [me EXCEPT ![w].at = None] /\ To(w, "bring")
  /\ UNCHANGED <<rest, row>>
=============================================================================
