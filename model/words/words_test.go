package words_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
	"github.com/stretchr/testify/require"
)

func TestTextIsInTheWordsOfTheirCode(t *testing.T) {
	for _, c := range []struct {
		words      words.Words
		text, want string
	}{
		{words.Queue, "inject.push 3 = no room", "put 3 = full"},
		{words.Queue, "task 3 was pushed and is nowhere", "value 3 was put and is nowhere"},
		{words.Queue, "inject.pop = took 3", "take = took 3"},
		{words.Deque, "deque.steal = took 3", "steal = took 3"},
		{words.Deque, "the owner pops task 1", "the owner pops value 1"},
		{words.Parker, "unpark first", "unpark first"},
		{words.Pool, "the spawn of task 3 does not return", "the submit of task 3 does not return"},
	} {
		require.Equal(t, c.want, c.words.Text(c.text))
	}
}

func TestEveryMeaningIsOfAClaim(t *testing.T) {
	for _, w := range []words.Words{words.Queue, words.Deque, words.Parker, words.Pool} {
		said := 0
		for _, c := range model.Claims() {
			if w.Means(c) != "" {
				said++
				require.Equal(t, w.Means(c), w.Text(w.Means(c)), "of %s", c)
			}
		}
		require.Positive(t, said)
	}
	require.Empty(t, words.Queue.Means("DataRace"))
}

func TestKeyIsOfTheOperationsThatThereAre(t *testing.T) {
	require.Equal(t, "inject.push is put, inject.pop is take", words.Queue.Key())
	require.Equal(t, "deque.push is push, deque.pop is pop, deque.steal is steal", words.Deque.Key())
	require.Empty(t, words.Parker.Key())
	require.Empty(t, words.Pool.Key())
}
