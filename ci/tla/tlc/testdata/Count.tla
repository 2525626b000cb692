------------------------------- MODULE Count --------------------------------
EXTENDS Naturals, TLC
VARIABLE n
Init == n = 0
Inc == n < 3 /\ n' = n + 1
Skip == n = 7 /\ n' = 8
Jump == n = 1 /\ n' = 3
Stay == n = 3 /\ n' = 3
Raise == n < 2 /\ n' = n + 1 /\ Assert(n < 1, "n is too large")
Divide == n' = n + (1 \div n)
Steps == Inc \/ Skip
Spec == Init /\ [][Steps]_n
Jumps == Init /\ [][Steps \/ Jump]_n
Fair == Spec /\ WF_n(Steps)
Stays == Init /\ [][Steps \/ Stay]_n
Raises == Init /\ [][Raise]_n
Divides == Init /\ [][Divide]_n
Small == n < 2
NotZero == n # 0
Grows == [][n' > n]_n
Stopped == [][n' = n]_n
Reaches == <>(n = 3)
Returns == n = 3 ~> n = 0
U == INSTANCE Up
Counts == U!Spec
=============================================================================
