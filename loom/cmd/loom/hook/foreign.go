package hook

import (
	"fmt"
	"reflect"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Foreign returns f, a function of a package that is not rewritten and is about to
// be called: what is called name.
func Foreign[F any](f F, pkg, name string) F {
	if t := machine.Current(); t != nil {
		outward(t, pkg, pkg, name)
	} else {
		machine.Stranger()
	}
	return f
}

// ForeignOn returns x, of which a method is about to be called that is not
// rewritten. Calls for different objects have nothing to do with each other, as far
// as one can know.
func ForeignOn[T any](x T, pkg, name string) T {
	t := machine.Current()
	if t == nil {
		machine.Stranger()
		return x
	}
	var key any = pkg
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer {
		key = v.UnsafePointer()
	}
	outward(t, key, pkg, name)
	return x
}

// outward notes a call of a package that is not rewritten. If another thread has
// made one, and no step says which comes first, the order of the two is not
// explored.
func outward(t *machine.Thread, key any, pkg, name string) {
	x := running
	x.test.foreign = true
	if other := t.Outward(key); other >= 0 && x.test.unchecked == "" {
		x.test.unchecked = fmt.Sprintf("%s and %s call %s at %s, and what package %s does is no step: the order of their calls, and what happens between its own, is not explored",
			machine.Name(other), machine.Name(t.ID()), name, here(), pkg)
	}
}
