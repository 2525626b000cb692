package model

import (
	"slices"
	"strings"
)

// claims reads names of claims, each once.
func (p *parser) claims(v word) *SyntaxError {
	for _, w := range fields(v) {
		c := Claim(w.text)
		if Sentence(c) == "" {
			return fail(w, "there is no claim %q", w.text)
		}
		if slices.Contains(p.s.Claims, c) {
			return fail(w, "%s is named twice", w.text)
		}
		p.s.Claims = append(p.s.Claims, c)
	}
	return nil
}

// law reads what a task does.
func (p *parser) law(k []word, v word) *SyntaxError {
	if p.s.Target != Idle && p.s.Target != Sched {
		return fail(k[0], "target %s has no task", p.s.Target)
	}
	if len(k) != 2 {
		return fail(k[0], "which task? the key is task NUMBER")
	}
	t, err := integer(k[1], 1, maxTask)
	if err != nil {
		return err
	}
	if p.s.LawOf(Task(t)).format() != "" {
		return fail(k[1], "a second line for task %d", t)
	}
	l := Law{Task: Task(t)}
	for _, part := range commas(v) {
		if err := p.lawPart(&l, part); err != nil {
			return err
		}
	}
	p.pending = append(p.pending, func() *SyntaxError { return p.mustExist(k[1], l.Task) })
	p.s.Tasks = append(p.s.Tasks, l)
	return nil
}

// lawPart reads "spawns TASK..." or "waits TASK", in this order.
func (p *parser) lawPart(l *Law, part word) *SyntaxError {
	f := fields(part)
	switch {
	case len(f) == 0:
		return fail(part, "nothing between commas")
	case f[0].text == "spawns" && len(f) > 1 && l.Spawns == nil && l.Waits == 0:
		var err *SyntaxError
		l.Spawns, err = p.tasks(f[1:], true)
		for _, t := range l.Spawns {
			p.spawner[t] = l.Task
		}
		return err
	case f[0].text == "waits" && len(f) == 2 && l.Waits == 0:
		ts, err := p.tasks(f[1:], false)
		if err != nil {
			return err
		}
		if l.Waits = ts[0]; l.Waits == l.Task {
			return fail(f[1], "a task cannot wait for itself")
		}
		p.pending = append(p.pending, func() *SyntaxError { return p.mustExist(f[1], ts[0]) })
		return nil
	}
	return fail(f[0], "%q is not: spawns TASK..., waits TASK", part.text)
}

// mustExist refuses a task that never comes: one that is not submitted, nor
// spawned by one that comes.
func (p *parser) mustExist(w word, t Task) *SyntaxError {
	from := t
	for range len(p.s.Tasks) + 1 {
		if p.submitted[from] {
			return nil
		}
		by, spawned := p.spawner[from]
		if !spawned {
			break
		}
		from = by
	}
	return fail(w, "task %d never comes", t)
}

// tasks reads numbers of tasks. Those that are brought here are noted: each
// task comes once.
func (p *parser) tasks(ws []word, brought bool) ([]Task, *SyntaxError) {
	var out []Task
	for _, w := range ws {
		n, err := integer(w, 1, maxTask)
		if err != nil {
			return nil, err
		}
		t := Task(n)
		if brought && p.given[t] {
			return nil, fail(w, "task %d comes twice", t)
		}
		if brought {
			p.given[t] = true
		}
		out = append(out, t)
	}
	return out, nil
}

// commas splits w at commas.
func commas(w word) []word {
	var out []word
	for {
		i := strings.IndexByte(w.text, ',')
		if i < 0 {
			return append(out, w.trim())
		}
		out = append(out, word{w.text[:i], w.line, w.col}.trim())
		w = w.at(i + 1)
	}
}

// site is where operations stand: in the setup or in a thread.
type site struct {
	setup bool
	owner int // the thread on whose behalf they are; of a setup known once all threads are
	add   func(Op)
	on    func(i int) *int // the On of operation i
}

// ops reads operations. Names of threads are resolved once all are known.
func (p *parser) ops(v word, at *site) *SyntaxError {
	for i, part := range commas(v) {
		f := fields(part)
		if len(f) == 0 {
			return fail(part, "nothing between commas")
		}
		kind := Kind(0)
		for _, k := range Kinds(p.s.Target) {
			if k.String() == f[0].text {
				kind = k
			}
		}
		switch {
		case kind == 0:
			return fail(f[0], "%q is not an operation of target %s", f[0].text, p.s.Target)
		case (kind == ParkToken || kind == Await) && at.setup:
			return fail(f[0], "%s in a setup may wait for ever", f[0].text)
		}
		op, err := p.args(kind, f)
		if err != nil {
			return err
		}
		at.add(op)
		if kind.shape() == thread {
			p.pending = append(p.pending, func() *SyntaxError { return p.resolve(kind, f[1], at, i) })
		}
	}
	return nil
}

// resolve finds the thread that operation i names.
func (p *parser) resolve(kind Kind, name word, at *site, i int) *SyntaxError {
	on, ok := p.threads[name.text]
	if !ok {
		return fail(name, "there is no thread %q", name.text)
	}
	if kind == Steal && on == at.owner {
		return fail(name, "a ring cannot steal from itself")
	}
	*at.on(i) = on
	return nil
}

// args reads what follows the word of an operation.
func (p *parser) args(kind Kind, f []word) (op Op, err *SyntaxError) {
	op.Kind = kind
	want := map[shape]string{nothing: "nothing", oneTask: "one task", someTasks: "one task or more",
		count: "a number", thread: "a thread", worker: "a worker"}[kind.shape()]
	args := f[1:]
	if n := len(args); n == 0 != (kind.shape() == nothing) || n > 1 && kind.shape() != someTasks {
		return op, fail(f[0], "%s takes %s", f[0].text, want)
	}
	switch kind.shape() {
	case oneTask, someTasks:
		op.Args, err = p.tasks(args, kind != Write && kind != Await)
		for _, t := range op.Args {
			if kind == Await {
				p.pending = append(p.pending, func() *SyntaxError { return p.mustExist(args[0], t) })
			} else {
				p.submitted[t] = true
			}
		}
	case count:
		var n int64
		n, err = integer(args[0], 1, 1<<16)
		op.Max = int(n)
	case worker:
		var n int64
		n, err = integer(args[0], 0, int64(p.s.Workers)-1)
		op.On = int(n)
	}
	return op, err
}

// setup reads a line of operations that come before the threads.
func (p *parser) setup(k []word, v word) *SyntaxError {
	first, at := len(p.s.Setup), &site{setup: true}
	at.add = func(o Op) { p.s.Setup = append(p.s.Setup, Step{Op: o}) }
	at.on = func(i int) *int { return &p.s.Setup[first+i].On }
	last := first
	if len(k) == 2 {
		p.pending = append(p.pending, func() *SyntaxError {
			t, ok := p.threads[k[1].text]
			if !ok {
				return fail(k[1], "there is no thread %q", k[1].text)
			}
			if t == 0 {
				return fail(k[1], "setup without a name is for the first thread, %s", k[1].text)
			}
			at.owner = t
			for i := first; i < last; i++ {
				p.s.Setup[i].Thread = t
			}
			return nil
		})
	}
	err := p.ops(v, at)
	last = len(p.s.Setup)
	return err
}

// thread reads the line of a thread.
func (p *parser) thread(k, v word) *SyntaxError {
	switch _, again := p.threads[k.text]; {
	case !identifier.MatchString(k.text):
		return fail(k, "%q is neither a key nor a name of a thread: a small letter, then small letters and digits", k.text)
	case again:
		return fail(k, "a second thread %s", k.text)
	case len(p.s.Threads) == maxThreads:
		return fail(k, "more than %d threads", maxThreads)
	case strings.HasPrefix(k.text, "worker") && p.s.Workers > 0:
		return fail(k, "%s is the name of a worker", k.text)
	}
	id := len(p.s.Threads)
	p.threads[k.text] = id
	p.s.Threads = append(p.s.Threads, Thread{Name: k.text})
	return p.ops(v, &site{
		owner: id,
		add:   func(o Op) { p.s.Threads[id].Ops = append(p.s.Threads[id].Ops, o) },
		on:    func(i int) *int { return &p.s.Threads[id].Ops[i].On },
	})
}

// finish checks what the whole must have.
func (p *parser) finish() *SyntaxError {
	switch {
	case p.order == 0:
		return fail(p.end, "no target")
	case p.s.Target == Ring && p.s.Capacity == 0:
		return fail(p.end, "target ring needs a capacity")
	case (p.s.Target == Idle || p.s.Target == Sched || p.s.Target == Tracker) && p.s.Workers == 0:
		return fail(p.end, "target %s needs workers", p.s.Target)
	case p.s.Target == Tracker && p.s.Workers < len(p.s.Threads):
		return fail(p.end, "%d workers for %d threads: every thread is one", p.s.Workers, len(p.s.Threads))
	case len(p.s.Threads) == 0 && p.s.Target != Idle:
		return fail(p.end, "no thread")
	case len(p.s.Claims) == 0:
		return fail(p.end, "no claims")
	case p.s.Target == Idle && len(p.given) == 0:
		return fail(p.end, "target idle needs a task: the run ends when all are over")
	}
	for _, check := range p.pending {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}
