package linearizability

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatesCountInPlainWords(t *testing.T) {
	for want, state := range map[string]fmt.Stringer{
		"was open and had 0 tasks":                       injectState{},
		"was open and had 1 task":                        injectState{tasks: "1234"},
		"was open and had 2 tasks":                       injectState{tasks: "12341234"},
		"had seen 1 operation of its owner and 2 steals": dequeState{stolen: 2, done: 1},
	} {
		require.Equal(t, want, state.String())
	}
}
