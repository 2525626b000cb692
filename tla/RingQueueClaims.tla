--------------------------- MODULE RingQueueClaims ---------------------------
(***************************************************************************)
(* What package queue claims of its rings, as invariants of RingQueue. The *)
(* names are those of package model, which has a sentence for each.        *)
(***************************************************************************)
EXTENDS RingQueue

(* Who has what *)

TypeOK ==
  /\ head \in [Workers -> [steal : Index, real : Index]]
  /\ tail \in [Workers -> Index]
  /\ slots \in [Workers -> [0..Cap - 1 -> Tasks \cup {None}]]
  /\ Range(inject) \subseteq Tasks
  /\ pushed \in 0..MaxTasks
  /\ returned \in [Tasks -> Nat]
  /\ pc \in [Workers -> Labels]
  /\ \A w \in Workers :
       /\ DOMAIN loc[w] = DOMAIN Nil
       /\ pc[w] = "idle" => loc[w] = Nil /\ due[w] = <<>>
       /\ Range(queue[w]) \subseteq Tasks

(* How many tasks ring w shows. *)
Length(w) == Minus(tail[w], head[w].real)

(* The slots, as <<ring, slot number>>, of n indices of ring w from i on.  *)
SlotsFrom(w, i, n) ==
  {<<w, Slot(Plus(i, k))>> : k \in 0..(IF n > Cap THEN Cap ELSE n) - 1}

Visible(w) == SlotsFrom(w, head[w].real, Length(w))

(* The slots with tasks that the operation of w has taken and not yet      *)
(* emptied, or filled and not yet published.                               *)
Holds(w) ==
  LET l == loc[w]
      t == tail[w] IN
  CASE pc[w] = "P5" -> SlotsFrom(w, t, 1)
    [] pc[w] \in {"B4", "B5"} -> SlotsFrom(w, t, l.moved)
    [] pc[w] = "O2" -> SlotsFrom(w, t, Cap)
    [] pc[w] = "O3" -> SlotsFrom(w, Plus(t, Len(l.batch)), Half - Len(l.batch))
    [] pc[w] = "L5" -> SlotsFrom(w, l.index, 1)
    [] pc[w] = "S6" -> SlotsFrom(l.victim, Plus(l.index, l.moved), l.count - l.moved)
                       \cup SlotsFrom(w, t, l.moved)
    [] pc[w] \in {"S7", "S7load", "S9"} -> SlotsFrom(w, t, l.count - 1)
    [] OTHER -> {}

(* The tasks in the local variables of w.                                  *)
InHand(w) ==
  ({loc[w].task, loc[w].last} \cup Range(loc[w].batch)) \ {None}

(* The slots that the next step of w writes as the owner, and those that   *)
(* it accesses at all: to clear a slot is to write it.                     *)
Fills(w) ==
  CASE pc[w] = "P4" -> SlotsFrom(w, tail[w], 1)
    [] pc[w] = "B4" -> SlotsFrom(w, Plus(tail[w], loc[w].moved), 1)
    [] pc[w] = "S6" /\ loc[w].moved + 1 < loc[w].count
         -> SlotsFrom(w, Plus(tail[w], loc[w].moved), 1)
    [] OTHER -> {}

Accesses(w) ==
  LET l == loc[w] IN
  Fills(w) \cup
  CASE pc[w] = "O3" -> SlotsFrom(w, Plus(tail[w], Len(l.batch)), 1)
    [] pc[w] = "L5" -> SlotsFrom(w, l.index, 1)
    [] pc[w] = "S6" -> SlotsFrom(l.victim, Plus(l.index, l.moved), 1)
    [] OTHER -> {}

(* The thieves between claim and release on ring v.                        *)
ThievesOn(v) ==
  {w \in Workers : pc[w] \in {"S6", "S7", "S7load"} /\ loc[w].victim = v}

-----------------------------------------------------------------------------
(* The claims *)

(* Every task is somewhere: returned, handed over, in a ring or in the     *)
(* hands of an operation under way.                                        *)
NoLostTask ==
  \A x \in 1..pushed :
    \/ returned[x] > 0
    \/ x \in Range(inject)
    \/ \E w \in Workers :
         \/ x \in InHand(w)
         \/ \E p \in Visible(w) \cup Holds(w) : slots[p[1]][p[2]] = x

NoDuplicateTask ==
  \A x \in Tasks :
    returned[x] + Cardinality({k \in 1..Len(inject) : inject[k] = x}) <= 1

(* The ring shows what was pushed and not taken, in the order of pushing,  *)
(* and what is about to leave a slot is the task that is due.              *)
FIFO ==
  \A w \in Workers :
    LET l == loc[w]
        h == head[w].real IN
    /\ Length(w) = Len(queue[w])
    /\ \A k \in 1..Len(queue[w]) : slots[w][Slot(Plus(h, k - 1))] = queue[w][k]
    /\ pc[w] = "L5" => slots[w][Slot(l.index)] = due[w][1]
    /\ pc[w] = "S6" => slots[l.victim][Slot(Plus(l.index, l.moved))] =
                         due[w][l.moved + 1]

(* A CAS of S5 that would now succeed would take the oldest half, rounded  *)
(* up, of the tasks that the thief saw: all but those pushed since S2.     *)
StealHalf ==
  \A w \in Workers :
    LET l == loc[w] IN
    pc[w] = "S5" /\ head[l.victim] = l.head =>
      LET seen == Len(queue[l.victim]) - Minus(tail[l.victim], l.tail) IN
      l.count = seen - seen \div 2 /\ l.count \in 1..Half

(* What an overflow is about to hand over is the newest half of all that   *)
(* it took, in order; the pushed task goes last.                           *)
OverflowKeepsOldest ==
  \A w \in Workers : pc[w] = "O3hand" =>
    Len(due[w]) = Cap /\ loc[w].batch = Drop(due[w], Half)

CapacityFromSteal ==
  \A w \in Workers :
    LET taken == Minus(tail[w], head[w].steal) IN
    /\ taken <= Cap
    /\ Fills(w) \cap SlotsFrom(w, head[w].steal, taken) = {}

SingleThief ==
  \A v \in Workers :
    /\ Cardinality(ThievesOn(v)) <= 1
    /\ ThievesOn(v) # {} => Active(head[v])

(* Each answer is decided by one load. An answer that would be given now   *)
(* is true now: busy (S1), empty (L1 and S2). No room (S0) is no different *)
(* from what it says, MayReceive, and so needs no check.                   *)
BusyIsHonest ==
  \A w \in Workers :
    LET l == loc[w]
        v == l.victim IN
    /\ Active(head[w]) => ThievesOn(w) # {}
    /\ head[w].real = tail[w] => queue[w] = <<>>
    /\ pc[w] = "S2" /\ SaysEmpty(Minus(tail[v], l.head.real)) => queue[v] = <<>>

(* No two workers have accesses to one slot as their next steps. Every     *)
(* step that accesses a slot writes it, so no pair of them is harmless.    *)
NoSlotRace ==
  \A w, u \in Workers : w # u => Accesses(w) \cap Accesses(u) = {}

(* A slot that is not visible and that no operation holds is empty.        *)
NoRetention ==
  LET full == UNION {Visible(w) \cup Holds(w) : w \in Workers} IN
  \A w \in Workers, s \in 0..Cap - 1 :
    slots[w][s] # None => <<w, s>> \in full

(* All of these, checked with a Start just below the wrap. Modulus must    *)
(* exceed the pops that a thief can sleep through between S1 and S5.       *)
WrapSafe ==
  /\ TypeOK
  /\ NoLostTask /\ NoDuplicateTask /\ FIFO /\ StealHalf
  /\ OverflowKeepsOldest /\ CapacityFromSteal /\ SingleThief
  /\ BusyIsHonest /\ NoSlotRace /\ NoRetention

THEOREM Spec => []WrapSafe
=============================================================================
