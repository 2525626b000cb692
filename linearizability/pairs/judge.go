package pairs

import (
	"fmt"
	"hash/maphash"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Verdict is what became of a history. If neither Claim nor Unknown is set it is
// lawful.
type Verdict struct {
	Claim   string // what is violated
	Message string
	Lines   []int  // of the file, where the offending operations are called
	Unknown string // why it was not decided
}

// Linearizable is the claim about registers and keys: that the operations can have
// happened one after the other, each at a moment between its call and its return.
const Linearizable = "Linearizable"

// mostOfKey is how many operations on one register or key porcupine is given: it
// needs so many bits for each.
const mostOfKey = 60_000

// mostBytes bounds the values of one key that porcupine keeps, one for each operation.
const mostBytes = 1 << 29

// appended is how long a value can get by being appended to.
func appended(ops []porcupine.Operation) (n int) {
	for _, op := range ops {
		if o := op.Input.(Op); o.F == "append" {
			n += len(o.Value)
		}
	}
	return n
}

// Judge decides whether the operations of h can have happened, within limit. An
// error says that h is no history.
func (h *History) Judge(limit time.Duration) (Verdict, error) {
	if h.Object == "queue" || h.Object == "deque" {
		return h.judgeTasks()
	}
	byKey, keys := h.byKey()
	for _, k := range keys {
		if n := len(byKey[k]); n > mostOfKey {
			return Verdict{Unknown: fmt.Sprintf("%d operations on %q are too many for porcupine, which is given at most %d", n, k, mostOfKey)}, nil
		}
	}
	for _, k := range keys {
		if size := appended(byKey[k]); size > mostBytes/len(byKey[k]) {
			return Verdict{Unknown: fmt.Sprintf("%d operations on %q append %d bytes: porcupine keeps a value for each, which takes too much memory", len(byKey[k]), k, size)}, nil
		}
	}
	var all []porcupine.Operation
	for _, k := range keys {
		all = append(all, byKey[k]...)
	}
	m := h.model() // porcupine takes the keys all at a time, and the first wrong one ends it
	m.Partition = func([]porcupine.Operation) (parts [][]porcupine.Operation) {
		for _, k := range keys {
			parts = append(parts, byKey[k])
		}
		return parts
	}
	switch decided, why := inMemory(m, all, limit, mostMemory); decided {
	case porcupine.Illegal:
		return h.convict(byKey, keys), nil
	case porcupine.Unknown:
		return Verdict{Unknown: why}, nil
	}
	return Verdict{}, nil
}

// mostMemory is how much porcupine may come to need.
const mostMemory = 1 << 30

// inMemory lets porcupine decide within a time. Of many operations at a time it keeps
// ever more, and nothing stops it but the time: so it is given a little, and then
// twice as much as long as what it has taken does not say that this is too much.
func inMemory(m porcupine.Model, ops []porcupine.Operation, limit time.Duration, most uint64) (porcupine.CheckResult, string) {
	end := time.Now().Add(limit)
	for slice := time.Second; ; slice *= 2 {
		left := time.Until(end)
		runtime.GC()
		before := inUse()
		if decided := porcupine.CheckOperationsTimeout(m, ops, min(slice, left)); decided != porcupine.Unknown {
			return decided, ""
		}
		switch taken := max(inUse(), before) - before; {
		case slice >= left:
			return porcupine.Unknown, fmt.Sprintf("porcupine did not decide within %v", limit)
		case 2*taken > most:
			return porcupine.Unknown, fmt.Sprintf("porcupine did not decide within %v, in which it took %d MiB", slice, taken>>20)
		}
	}
}

func inUse() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapInuse
}

// perKey is for how long one key alone is looked at, to find the wrong one.
const perKey = 2 * time.Second

// convict finds the key that is wrong, or one of them.
func (h *History) convict(byKey map[string][]porcupine.Operation, keys []string) Verdict {
	v := Verdict{Claim: Linearizable, Message: "the operations cannot have happened one after the other"}
	for _, k := range keys {
		if len(keys) > 1 && porcupine.CheckOperationsTimeout(h.model(), byKey[k], perKey) != porcupine.Illegal {
			continue
		}
		if h.Object == "kv" {
			v.Message = fmt.Sprintf("the operations on key %q cannot have happened one after the other", k)
		}
		v.Lines = h.stuckAt(byKey[k])
		break
	}
	return v
}

// Draw writes porcupine's page about the key of the operation that was called in a
// line, or about the register.
func (h *History) Draw(w io.Writer, line int) error {
	byKey, _ := h.byKey()
	i := slices.IndexFunc(h.Ops, func(o Op) bool { return o.Call == int64(line) })
	if i < 0 {
		return fmt.Errorf("pairs: nothing is called in line %d", line)
	}
	m := h.model()
	_, info := porcupine.CheckOperationsVerbose(m, byKey[h.Ops[i].Key], perKey)
	if err := porcupine.Visualize(m, info, w); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	return nil
}

// byKey returns the operations of each key for porcupine. What answers nothing
// that is known is left out: a read says nothing then, and what failed was not
// done.
func (h *History) byKey() (map[string][]porcupine.Operation, []string) {
	out := map[string][]porcupine.Operation{}
	var keys []string
	clients, next := map[int64]int{}, 0
	end := h.end()
	for _, o := range h.Ops {
		known := o.Return != Open
		if o.Failed && o.F != "cas" || !known && objects[h.Object][o.F] == 0 {
			continue
		}
		if _, is := out[o.Key]; !is {
			keys = append(keys, o.Key)
		}
		client, is := clients[o.Process]
		if !is || !known { // a client does one at a time, and this one may go on for ever
			client, next = next, next+1
			clients[o.Process] = client
		}
		if !known {
			delete(clients, o.Process)
		}
		out[o.Key] = append(out[o.Key], porcupine.Operation{ClientId: client, Input: o, Call: o.Call, Return: min(o.Return, end)})
	}
	return out, keys
}

// end is after all that happened.
func (h *History) end() (end int64) {
	for _, o := range h.Ops {
		if o.Return != Open {
			end = max(end, o.Return)
		}
		end = max(end, o.Call)
	}
	return end + 1
}

// stuckAt returns the lines of the operations that no longest explanation has.
func (h *History) stuckAt(ops []porcupine.Operation) (lines []int) {
	_, info := porcupine.CheckOperationsVerbose(h.model(), ops, perKey)
	for _, partials := range info.PartialLinearizationsOperations() {
		var longest []porcupine.Operation
		for _, p := range partials {
			if len(p) > len(longest) {
				longest = p
			}
		}
		done := map[int64]bool{}
		for _, o := range longest {
			done[o.Call] = true
		}
		var first *porcupine.Operation // of those left, the one that returns first
		for i := range ops {
			if !done[ops[i].Call] && (first == nil || ops[i].Return < first.Return) {
				first = &ops[i]
			}
		}
		if first != nil {
			lines = append(lines, int(first.Call))
		}
	}
	return lines
}

// model is the law of a register or a key. The state is its value, as JSON. An
// operation of which nobody knows whether it was done is done: at the very end, if
// nothing shows it before.
func (h *History) model() porcupine.Model {
	step, initial := stepRegister, "null"
	if h.Object == "kv" {
		step, initial = stepKey, `""`
	}
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(state, input, _ any) (bool, any) {
			next, may := step(state.(string), input.(Op))
			return may, next
		},
		Hash:              func(state any) uint64 { return maphash.String(hashSeed, state.(string)) },
		DescribeOperation: func(input, _ any) string { return input.(Op).String() },
	}
}

var hashSeed = maphash.MakeSeed()

func stepRegister(value string, o Op) (next string, may bool) {
	switch o.F {
	case "read":
		return value, o.Answer == value
	case "write":
		return o.Value, true
	}
	switch same := o.Old == value; {
	case same && !o.Failed:
		return o.Value, true
	case same:
		return value, false
	}
	return value, o.Failed || o.Return == Open
}

func stepKey(value string, o Op) (next string, may bool) {
	switch o.F {
	case "get":
		return value, o.Answer == value
	case "put":
		return o.Value, true
	}
	return value[:len(value)-1] + o.Value[1:], true // two strings in quotes
}

// String is the operation as a line of a drawing.
func (o Op) String() string {
	s := o.F
	if o.Key != "" {
		s += " " + o.Key
	}
	if o.Old != "" {
		s += " " + o.Old + " to"
	}
	if o.Value != "" {
		s += " " + o.Value
	}
	switch {
	case o.Return == Open:
		s += " = ?"
	case o.Failed:
		s += " = fail"
	case o.Answer != "":
		s += " = " + o.Answer
	}
	return s
}
