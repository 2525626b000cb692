package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// kinship names the threads of all executions of a body by their descent: the
// n-th thread that a thread has started is the same in all executions in which
// there is one, while its number depends on who else started threads before.
type kinship struct {
	children [][]int32 // by name, the names of the threads it starts
}

func (f *kinship) child(parent int32, nth int) int32 {
	for len(f.children[parent]) <= nth {
		name := f.add()
		f.children[parent] = append(f.children[parent], name)
	}
	return f.children[parent][nth]
}

func (f *kinship) add() int32 {
	n := len(f.children)
	if n < cap(f.children) {
		f.children = f.children[:n+1]
		f.children[n] = f.children[n][:0]
	} else {
		f.children = append(f.children, nil)
	}
	return int32(n)
}

// roster has the names of the threads of one execution.
type roster struct {
	*kinship
	of      [machine.MaxThreads]int32 // by number
	known   int                       // how many numbers have got their names
	numbers []int8                    // by name, -1: not in this execution, or not yet
}

// reset is called before each execution.
func (r *roster) reset() {
	for _, name := range r.of[:r.known] {
		r.numbers[name] = -1
	}
	r.known = 0
}

// meet names the threads that have been started since it was last called.
func (r *roster) meet(m *machine.Machine) {
	for ; r.known < m.Threads(); r.known++ {
		var name int32
		if t := m.Thread(r.known); t.Parent() >= 0 {
			name = r.child(r.of[t.Parent()], t.Nth())
		} else if len(r.children) == 0 {
			r.add()
		}
		for len(r.numbers) < len(r.children) {
			r.numbers = append(r.numbers, -1)
		}
		r.of[r.known], r.numbers[name] = name, int8(r.known)
	}
}

// number returns the number of the thread with a name, -1 if there is none.
func (r *roster) number(name int32) int {
	if int(name) < len(r.numbers) {
		return int(r.numbers[name])
	}
	return -1
}

// A branch is a decision of a wakeup tree: an order of steps that is to be run
// from some point of the path, and whatever can follow. The tree of a point has
// the branches that are to be run after the present decision there; those of a
// branch are to be run after that, and a branch without any is a leaf: what
// follows is free. The order of branches is the order in which they are run.
type branch struct {
	name   int32 // of the thread
	choice int32 // outcome, -1: a step
	object int32 // unknown: it had no number yet at the point of the tree
	mode   machine.Mode
	code   machine.Code
	next   int32 // of the same point
	below  int32 // the first of those that follow
}

// unknown is the object of a branch that was first touched after the point whose
// tree it was added to. Executions number such objects in different orders.
const unknown = -2

// elsewhere is the object of a branch that is none of the execution's.
const elsewhere = -3

// forest holds the branches of all trees. Number 0 is none.
type forest struct {
	all  []branch
	free int32
}

// add appends a branch to those below parent, or to the list at root if parent
// is 0, and returns its number.
func (f *forest) add(root *int32, parent int32, b branch) int32 {
	n := f.put(b)
	list := root
	if parent != 0 {
		list = &f.all[parent].below
	}
	for *list != 0 {
		list = &f.all[*list].next
	}
	*list = n
	return n
}

// addAfter appends a branch to the list at root, whose last is given, 0 if it is
// empty.
func (f *forest) addAfter(last int32, root *int32, b branch) int32 {
	if last == 0 {
		return f.add(root, 0, b)
	}
	n := f.put(b)
	f.all[last].next = n
	return n
}

// put returns the number of a new branch.
func (f *forest) put(b branch) int32 {
	n := f.free
	if n != 0 {
		f.free = f.all[n].next
	} else {
		if len(f.all) == 0 {
			f.all = append(f.all, branch{})
		}
		n = int32(len(f.all))
		f.all = append(f.all, branch{})
	}
	b.next, b.below = 0, 0
	f.all[n] = b
	return n
}

// take removes the first branch of the list at root and returns it. Those below
// it are the caller's now.
func (f *forest) take(root *int32) branch {
	n := *root
	b := f.all[n]
	*root = b.next
	f.all[n].next, f.free = f.free, n
	return b
}
