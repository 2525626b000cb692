------------------------------ MODULE InjectMC ------------------------------
(***************************************************************************)
(* What package queue claims of Inject. The names are those of package     *)
(* model, which has a sentence for each.                                   *)
(***************************************************************************)
EXTENDS Inject

CONSTANTS a, b, c, d   \* the threads

TypeOK ==
  /\ length \in 0..MaxTasks
  /\ lock \in Threads \cup {None}
  /\ closed \in BOOLEAN
  /\ Range(list) \subseteq 1..MaxTasks
  /\ pc \in [Threads -> Labels]
  /\ \A t \in Threads : pc[t] = "idle" => hand[t] = <<>> /\ space[t] = 0
  /\ pushed \in 0..MaxTasks
  /\ late \subseteq Pushers

(* Tasks leave in the order in which their pushes took effect, those of a  *)
(* batch side by side: the pops that took effect have taken a prefix of    *)
(* the order of pushes, and the rest is in the list, but for what a thread *)
(* with the lock has linked or unlinked and not stored the length of yet.  *)
InjectFIFO ==
  /\ Len(popped) <= Len(queue)
  /\ popped = First(queue, Len(popped))
  /\ lock = None => list = Drop(queue, Len(popped))

(* The length that anyone loads is that of the queue: the pushes that took *)
(* effect less the pops that did.                                          *)
LenHint == length = Len(queue) - Len(popped)

(* A push that begins after Close has ended is refused; a task that was    *)
(* refused is not in the queue and is not popped; and no push is refused   *)
(* before Close.                                                           *)
ClosedReturnsTasks ==
  /\ \A t \in Pushers : pc[t] \in {"I4", "I5"} => t \notin late
  /\ refused \cap (Range(list) \cup Range(queue) \cup Range(popped)) = {}
  /\ refused # {} => closed

NoDuplicateTask ==
  /\ Cardinality(Range(popped)) = Len(popped)
  /\ Cardinality(Range(list)) = Len(list)
  /\ Range(popped) \cap Range(list) = {}

NoLostTask ==
  \A x \in 1..pushed :
    \/ x \in Range(list) \cup Range(popped) \cup refused
    \/ \E t \in Threads : x \in Range(hand[t])

(* Under FairSpec *)
EveryCallReturns == \A t \in Threads : pc[t] # "idle" ~> pc[t] = "idle"

-----------------------------------------------------------------------------
(* Witnesses *)
NeverRefused == refused = {}
NeverEmptied == ~ \E t \in Poppers : pc[t] = "N4" /\ hand[t] = <<>>
=============================================================================
