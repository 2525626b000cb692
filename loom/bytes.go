package loom

// Bytes runs one execution, in which data decides what is left open: whose turn
// it is, and what [Choose] returns. It makes a test of package loom a fuzz target,
//
//	f.Fuzz(func(t *testing.T, data []byte) {
//		loom.Check(t, body, loom.Bytes(data))
//	})
//
// so that go test -tags loom -fuzz changes the order of steps, for bodies with too
// many traces to see them all. The fuzzer is guided: it is told when steps meet in
// a way that it has not seen, as if they were code that it had not seen run. The
// data of a violation runs it again, and so do Violation.Data and its token, which are
// those of a shorter schedule most often.
//
// A byte b is one stretch: the thread whose turn it is takes b/4 more of the steps at
// which another could go on in its place, if it can; then it is the turn of another
// that can, the next by number for b%4 = 0, and around. A byte is also what Choose
// takes, modulo the number there are. When there are none left nobody's turn is
// taken away, and Choose returns 0. So few bytes are few preemptions, and a byte
// put in or left out changes little of what was before it. All data is valid. After
// 1,000 steps in a row it is another's turn in any case, since a thread may wait in
// a loop.
//
// A run by Bytes is never Report.Exhausted. LOOM_ALGO, LOOM_SHARD and the options
// for searches do nothing to it. Without the tag loom data does nothing: the
// body is run as by [Stress].
func Bytes(data []byte) Option {
	return func(c *config) { c.data, c.byBytes = data, true }
}
