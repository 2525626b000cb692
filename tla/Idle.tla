-------------------------------- MODULE Idle --------------------------------
(***************************************************************************)
(* The protocol of package idle: who searches, who sleeps, whom to wake.   *)
(* There is one action for each operation on the word and on the lock, in  *)
(* the order that the package documentation of idle gives, with what its   *)
(* thread does behind the lock until its next; an action is named after    *)
(* the operation and the label of the step there, and its comment names    *)
(* the Go function. Parkers are binary semaphores, which is what module    *)
(* Park implements, and waking one is one step.                            *)
(*                                                                         *)
(* The word, the order and the chained wake are those of Tokio             *)
(* (tokio/src/runtime/scheduler/multi_thread/idle.rs, 1.53); the argument  *)
(* for the final look is that of the Go runtime (src/runtime/proc.go,      *)
(* "Worker thread parking/unparking"). The exact bound on searchers and    *)
(* the look whenever a park leaves searching at 0 are filch's own.         *)
(*                                                                         *)
(* These are the operations. What threads do between them is in module     *)
(* IdleMC, where they do anything, and in module Sched, where they look    *)
(* for tasks. An operation begins at its first label, and when it has      *)
(* ended its thread goes on at the label that ret has.                     *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Workers,   \* who sleep and are woken
  Outside,   \* other threads, that only wake
  None       \* nobody

ASSUME ThreadsAssumption ==
  IsFiniteSet(Workers) /\ Workers # {} /\ Workers \cap Outside = {}
  /\ None \notin Workers \cup Outside

VARIABLES
  word,      \* [searching, unparked], two counts in one atomic word
  lock,      \* who holds the lock, or None
  sleepers,  \* behind the lock: those who are parked, newest last
  standing,  \* behind the lock: worker -> what is known of it
  token,     \* worker -> whether its parker has a token
  pc,        \* thread -> the label of its next step
  ret,       \* thread -> where it goes on after an operation
  loc        \* thread -> its local variables, see Nil

idleVars == <<word, lock, sleepers, standing, token, pc, ret, loc>>

N == Cardinality(Workers)
Bound == (N + 1) \div 2
Threads == Workers \cup Outside
Standings == {"awake", "listed", "chosen", "excused"}

(* The locals of a thread. counted it remembers between operations.        *)
Nil == [
  counted |-> FALSE,   \* whether the worker knows that it counts as searching
  seen    |-> [searching |-> 0, unparked |-> 0],   \* what was loaded
  woken   |-> <<>>,    \* those to be unparked
  look    |-> FALSE,   \* Park has left nobody searching
  up      |-> FALSE]   \* Resume: somebody has woken the worker

Keep(t) == [Nil EXCEPT !.counted = loc[t].counted]
Go(t, label, locals) ==
  /\ pc' = [pc EXCEPT ![t] = label]
  /\ loc' = [loc EXCEPT ![t] = locals]
(* The operation ends, and leaves counted as it is or as given.            *)
End(t, counted) ==
  /\ pc' = [pc EXCEPT ![t] = ret[t]]
  /\ ret' = [ret EXCEPT ![t] = "-"]
  /\ loc' = [loc EXCEPT ![t] = [Nil EXCEPT !.counted = counted]]
Stay(t) == UNCHANGED ret

Without(s, w) == SelectSeq(s, LAMBDA x : x # w)
Plus(v, s, u) == [searching |-> v.searching + s, unparked |-> v.unparked + u]

IdleInit ==
  /\ word = [searching |-> 0, unparked |-> N]
  /\ lock = None
  /\ sleepers = <<>>
  /\ standing = [w \in Workers |-> "awake"]
  /\ token = [w \in Workers |-> FALSE]
  /\ ret = [t \in Threads |-> "-"]
  /\ loc = [t \in Threads |-> Nil]

-----------------------------------------------------------------------------
(* Wake *)

Wanted(v) == v.searching = 0 /\ v.unparked < N

(* Tracker.Wake, W1: load word; somebody searches or nobody sleeps: done.  *)
WakeW1(t) ==
  /\ pc[t] = "W1"
  /\ IF Wanted(word) THEN Go(t, "W2", Keep(t)) /\ Stay(t)
     ELSE End(t, loc[t].counted)
  /\ UNCHANGED <<word, lock, sleepers, standing, token>>

(* Tracker.Wake, W2: lock. *)
WakeW2(t) ==
  /\ pc[t] = "W2"
  /\ lock = None
  /\ lock' = t
  /\ Go(t, "W4", Keep(t)) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* Tracker.choose, W4: load word, and look again. *)
WakeW4(t) ==
  /\ pc[t] = "W4"
  /\ IF Wanted(word) THEN Go(t, "W4cas", [Keep(t) EXCEPT !.seen = word])
     ELSE Go(t, "W6", Keep(t))
  /\ Stay(t)
  /\ UNCHANGED <<word, lock, sleepers, standing, token>>

(* Tracker.choose, W4: CAS +1 searching +1 unparked; W5: take the newest   *)
(* sleeper.                                                                *)
WakeW4CAS(t) ==
  /\ pc[t] = "W4cas"
  /\ IF word = loc[t].seen
     THEN LET w == sleepers[Len(sleepers)] IN
          /\ word' = Plus(word, 1, 1)
          /\ sleepers' = SubSeq(sleepers, 1, Len(sleepers) - 1)
          /\ standing' = [standing EXCEPT ![w] = "chosen"]
          /\ Go(t, "W6", [Keep(t) EXCEPT !.woken = <<w>>])
     ELSE Go(t, "W4", Keep(t)) /\ UNCHANGED <<word, sleepers, standing>>
  /\ Stay(t)
  /\ UNCHANGED <<lock, token>>

(* Tracker.Wake, W6: unlock. *)
WakeW6(t) ==
  /\ pc[t] = "W6"
  /\ lock' = None
  /\ IF loc[t].woken = <<>> THEN End(t, loc[t].counted)
     ELSE Go(t, "W7", loc[t]) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* Tracker.Wake, W7: unpark. *)
WakeW7(t) ==
  /\ pc[t] = "W7"
  /\ token' = [token EXCEPT ![loc[t].woken[1]] = TRUE]
  /\ End(t, loc[t].counted)
  /\ UNCHANGED <<word, lock, sleepers, standing>>

-----------------------------------------------------------------------------
(* Park *)

(* Tracker.Park, T2: lock. *)
ParkT2(t) ==
  /\ pc[t] = "T2"
  /\ lock = None
  /\ lock' = t
  /\ Go(t, "T3", Keep(t)) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* Whether a park that leaves the word like this looks at every source.    *)
LookDue(t, left) == left.searching = 0

(* Tracker.Park, T3: add -1 unparked, and -1 searching if counted; T4:     *)
(* list the worker.                                                        *)
ParkT3(t) ==
  /\ pc[t] = "T3"
  /\ word' = Plus(word, IF loc[t].counted THEN -1 ELSE 0, -1)
  /\ sleepers' = Append(sleepers, t)
  /\ standing' = [standing EXCEPT ![t] = "listed"]
  /\ Go(t, "T5", [Nil EXCEPT !.look = LookDue(t, word')]) /\ Stay(t)
  /\ UNCHANGED <<lock, token>>

(* Tracker.Park, T5: unlock. To look, T6, is the client's.                 *)
ParkT5(t, look) ==
  /\ pc[t] = "T5"
  /\ lock' = None
  /\ IF loc[t].look THEN Go(t, look, Nil) /\ Stay(t) ELSE End(t, FALSE)
  /\ UNCHANGED <<word, sleepers, standing, token>>

-----------------------------------------------------------------------------
(* TrySearch and StopSearch *)

(* Tracker.TrySearch, E1: load word; at the bound: refused. *)
SearchE1(t) ==
  /\ pc[t] = "E1"
  /\ IF word.searching >= Bound THEN End(t, FALSE)
     ELSE Go(t, "E2", [Nil EXCEPT !.seen = word]) /\ Stay(t)
  /\ UNCHANGED <<word, lock, sleepers, standing, token>>

(* Tracker.TrySearch, E2: CAS +1 searching. *)
SearchE2(t) ==
  /\ pc[t] = "E2"
  /\ IF word = loc[t].seen
     THEN word' = Plus(word, 1, 0) /\ End(t, TRUE)
     ELSE Go(t, "E1", Nil) /\ Stay(t) /\ UNCHANGED word
  /\ UNCHANGED <<lock, sleepers, standing, token>>

(* Tracker.StopSearch, X1: add -1 searching; X2: the last one wakes.       *)
StopX1(t) ==
  /\ pc[t] = "X1"
  /\ word' = Plus(word, -1, 0)
  /\ IF word.searching = 1 THEN Go(t, "W1", Nil) /\ Stay(t) ELSE End(t, FALSE)
  /\ UNCHANGED <<lock, sleepers, standing, token>>

-----------------------------------------------------------------------------
(* Resume *)

(* Tracker.Resume, F1: lock; F2, F3: listed? counted? *)
ResumeF1(t) ==
  /\ pc[t] = "F1"
  /\ lock = None
  /\ lock' = t
  /\ standing' = [standing EXCEPT ![t] = IF @ = "listed" THEN @ ELSE "awake"]
  /\ Go(t, "F4", [Nil EXCEPT !.up = standing[t] # "listed",
                             !.counted = standing[t] = "chosen"]) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, token>>

(* Tracker.Resume, F4: unlock. Who was not woken goes back to sleep.       *)
ResumeF4(t, sleep) ==
  /\ pc[t] = "F4"
  /\ lock' = None
  /\ IF loc[t].up THEN End(t, loc[t].counted)
     ELSE Go(t, sleep, Nil) /\ ret' = [ret EXCEPT ![t] = "-"]
  /\ UNCHANGED <<word, sleepers, standing, token>>

-----------------------------------------------------------------------------
(* WakeWorker and WakeAll *)

(* Tracker.WakeWorker, V1: lock; not listed: nothing to do. *)
WakeWorkerV1(t, w) ==
  /\ lock = None
  /\ lock' = t
  /\ IF standing[w] = "listed"
     THEN /\ sleepers' = Without(sleepers, w)
          /\ Go(t, "V2", [Keep(t) EXCEPT !.woken = <<w>>])
     ELSE Go(t, "V3", Keep(t)) /\ UNCHANGED sleepers
  /\ Stay(t)
  /\ UNCHANGED <<word, standing, token>>

(* Tracker.excuse, V2: add +1 unparked. *)
WakeWorkerV2(t) ==
  /\ pc[t] = "V2"
  /\ word' = Plus(word, 0, 1)
  /\ standing' = [standing EXCEPT ![loc[t].woken[1]] = "excused"]
  /\ Go(t, "V3", loc[t]) /\ Stay(t)
  /\ UNCHANGED <<lock, sleepers, token>>

(* Tracker.WakeWorker, V3: unlock. *)
WakeWorkerV3(t) ==
  /\ pc[t] = "V3"
  /\ lock' = None
  /\ IF loc[t].woken = <<>> THEN End(t, loc[t].counted)
     ELSE Go(t, "A6", loc[t]) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* Tracker.WakeAll, A1: lock, and take the list. *)
WakeAllA1(t) ==
  /\ lock = None
  /\ lock' = t
  /\ sleepers' = <<>>
  /\ Go(t, IF sleepers = <<>> THEN "A5" ELSE "A2",
        [Keep(t) EXCEPT !.woken = sleepers]) /\ Stay(t)
  /\ UNCHANGED <<word, standing, token>>

(* Tracker.excuse, A2: add +1 unparked, for each of the list. *)
WakeAllA2(t) ==
  /\ pc[t] = "A2"
  /\ LET k == CHOOSE k \in 1..Len(loc[t].woken) :
                /\ standing[loc[t].woken[k]] = "listed"
                /\ \A j \in 1..k - 1 : standing[loc[t].woken[j]] # "listed" IN
     /\ standing' = [standing EXCEPT ![loc[t].woken[k]] = "excused"]
     /\ Go(t, IF k = Len(loc[t].woken) THEN "A5" ELSE "A2", loc[t])
  /\ word' = Plus(word, 0, 1)
  /\ Stay(t)
  /\ UNCHANGED <<lock, sleepers, token>>

(* Tracker.WakeAll, A5: unlock. *)
WakeAllA5(t) ==
  /\ pc[t] = "A5"
  /\ lock' = None
  /\ IF loc[t].woken = <<>> THEN End(t, loc[t].counted)
     ELSE Go(t, "A6", loc[t]) /\ Stay(t)
  /\ UNCHANGED <<word, sleepers, standing, token>>

(* Tracker.WakeAll and Tracker.WakeWorker, A6: unpark, each of the list.   *)
WakeAllA6(t) ==
  /\ pc[t] = "A6"
  /\ token' = [token EXCEPT ![loc[t].woken[1]] = TRUE]
  /\ IF Len(loc[t].woken) = 1 THEN End(t, loc[t].counted)
     ELSE Go(t, "A6", [loc[t] EXCEPT !.woken = Tail(@)]) /\ Stay(t)
  /\ UNCHANGED <<word, lock, sleepers, standing>>

-----------------------------------------------------------------------------
(* The steps within the operations, but for those that clients extend.     *)
Within(t) ==
  \/ WakeW1(t) \/ WakeW2(t) \/ WakeW4(t) \/ WakeW4CAS(t) \/ WakeW6(t)
  \/ WakeW7(t) \/ ParkT2(t) \/ ParkT3(t)
  \/ SearchE1(t) \/ SearchE2(t) \/ StopX1(t) \/ ResumeF1(t)
  \/ WakeWorkerV2(t) \/ WakeWorkerV3(t)
  \/ WakeAllA2(t) \/ WakeAllA5(t) \/ WakeAllA6(t)

-----------------------------------------------------------------------------
(* The claims of package idle that are about its words alone               *)

Range(s) == {s[k] : k \in 1..Len(s)}

IdleTypeOK ==
  /\ word \in [searching : 0..N, unparked : 0..N]
  /\ lock \in Threads \cup {None}
  /\ sleepers \in Seq(Workers)
  /\ standing \in [Workers -> Standings]
  /\ token \in [Workers -> BOOLEAN]
  /\ \A t \in Threads : DOMAIN loc[t] = DOMAIN Nil
  (* Searchers are those who know that they are and those who were chosen  *)
  (* and do not know it yet.                                               *)
  /\ word.searching = Cardinality({w \in Workers :
       loc[w].counted \/ standing[w] = "chosen"})

(* Whenever the lock is free, the workers counted as awake are those who   *)
(* are not listed, and nobody is listed twice.                             *)
CountsMatchSleepers ==
  lock = None =>
    /\ word.unparked = N - Len(sleepers)
    /\ Cardinality(Range(sleepers)) = Len(sleepers)
    /\ \A w \in Workers : (standing[w] = "listed") <=> (w \in Range(sleepers))

SearchersBounded == word.searching <= Bound

(* From choosing a sleeper until that worker has resumed nobody else is    *)
(* chosen for work.                                                        *)
OneWakeInFlight == Cardinality({w \in Workers : standing[w] = "chosen"}) <= 1

=============================================================================
