---------------------------- MODULE ParkTraceData ----------------------------
(* Recorded runs, written by package trace: see module ParkTrace,          *)
(* which says what the events are.                                         *)
TraceWakers == {"w1", "w2"}
Starts == {1}
Trace == <<
<<"ParkK1", "w0", 2, 0, FALSE>>,
<<"ParkK0", "w0", FALSE>>,
<<"ParkLock", "w0">>,
<<"ParkK3", "w0", 0, 1, TRUE>>,
<<"ParkK5", "w0", 2, 0, FALSE>>,
<<"ParkK4", "w0">>,
<<"UnparkU1", "w1", 2, 1>>,
<<"ParkUnlock", "w0">>,
<<"UnparkU2", "w1">>,
<<"UnparkU2Unlock", "w1">>,
<<"UnparkU3", "w1">>,
<<"UnparkU1", "w1", 2, 2>>,
<<"UnparkU1", "w1", 2, 2>>,
<<"CloseC1", "w2", TRUE>>,
<<"UnparkU1", "w2", 2, 2>>,
<<"ParkLock", "w0">>,
<<"ParkK5", "w0", 2, 0, TRUE>>,
<<"ParkUnlock", "w0">>,
<<"End", "-">>>>
=============================================================================
