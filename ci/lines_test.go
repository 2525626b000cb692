//go:build !loom

package ci_test

import (
	"reflect"
	"testing"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/queue"
	"github.com/stretchr/testify/require"
)

// cacheLine is the longest cache line of the machines that filch is built for
// whose sharing costs: 64 bytes, also where lines are fetched in pairs.
const cacheLine = 64

// TestHotWordsDoNotShareACacheLine: what one goroutine writes often is a line
// away from what others use, and from the neighbours of the whole struct.
func TestHotWordsDoNotShareACacheLine(t *testing.T) {
	for name, c := range map[string]struct {
		typ    reflect.Type
		hot    []string
		shared map[string]string // fields that may lie beside a hot one, and which
	}{
		"Ring of pointers": {reflect.TypeFor[queue.Ring[*int]](), []string{"head", "tail"}, map[string]string{"next": "tail", "batch": "tail"}},
		"Ring of words":    {reflect.TypeFor[queue.Ring[uint64]](), []string{"head", "tail"}, map[string]string{"next": "tail", "batch": "tail"}},
		"Inject":           {reflect.TypeFor[queue.Inject[*int]](), []string{"n"}, nil},
		"Tracker":          {reflect.TypeFor[idle.Tracker](), []string{"word"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, hot := range c.hot {
				h, ok := c.typ.FieldByName(hot)
				require.True(t, ok, "no field %s", hot)
				for i := range c.typ.NumField() {
					f := c.typ.Field(i)
					if f.Name == hot || f.Name == "_" || c.shared[f.Name] == hot {
						continue
					}
					gap := distance(h, f)
					require.GreaterOrEqual(t, gap, uintptr(cacheLine), "%s and %s are %d bytes apart", hot, f.Name, gap)
				}
				end := h.Offset + h.Type.Size()
				require.GreaterOrEqual(t, c.typ.Size()-end, uintptr(cacheLine), "%s and what follows the struct", hot)
			}
		})
	}
}

// distance returns the bytes from the end of one field to the start of the
// other.
func distance(a, b reflect.StructField) uintptr {
	if a.Offset > b.Offset {
		a, b = b, a
	}
	return b.Offset - (a.Offset + a.Type.Size())
}
