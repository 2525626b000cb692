package words_test

import (
	"testing"

	"github.com/filch-sched/filch/model/words"
	"github.com/stretchr/testify/require"
)

func TestHintsAreOfTheAnswerThatIsShownOrOfAll(t *testing.T) {
	h := words.QueueHints(true, false, false)
	require.Contains(t, h.Of("BusyIsHonest", "put 1 = full"), "MayRefuse")
	require.NotContains(t, h.Of("BusyIsHonest", "put 1 = full"), "MayMiss")
	require.Contains(t, h.Of("BusyIsHonest", "take = empty"), "MayMiss")
	require.NotContains(t, h.Of("BusyIsHonest", "take = empty"), "MayRefuse")
	require.Contains(t, h.Of("BusyIsHonest", "put 21 = kept"), "MayRefuse")
	require.Contains(t, h.Of("BusyIsHonest", "put 21 = kept"), "MayMiss")
	require.Empty(t, h.Of("InjectFIFO", "put 1 = full"))
	require.Empty(t, words.Hints(nil).Of("BusyIsHonest", ""))
}
