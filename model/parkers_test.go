package model_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
)

var (
	parkIt   = just(model.ParkToken)
	timed    = just(model.ParkTimed)
	unpark0  = on(model.Unpark, 0)
	close0   = on(model.ClosePark, 0)
	done     = is(model.Done)
	aToken   = is(model.Token)
	timedOut = is(model.TimedOut)
)

func TestParkerHoldsOneToken(t *testing.T) {
	judge(t, model.Parkers(2), []verdict{
		{name: "before", acts: seq(of(1, unpark0, done), of(0, parkIt, done), of(0, timed, timedOut))},
		{name: "during", acts: par(seq(of(0, timed, timedOut)), of(1, unpark0, done), of(0, parkIt, done))},
		{name: "two are one", acts: seq(of(1, unpark0, done), of(1, unpark0, done), of(0, timed, aToken), of(0, timed, timedOut))},
		{name: "two are two", claim: model.TokenSingle, acts: seq(of(1, unpark0, done), of(1, unpark0, done), of(0, timed, aToken), of(0, timed, aToken))},
		{name: "a park between", acts: seq(of(1, unpark0, done), of(0, parkIt, done), of(1, unpark0, done), of(0, parkIt, done))},
		{name: "from nowhere", claim: model.TokenSingle, acts: seq(of(0, parkIt, done))},
		{name: "somebody else's", claim: model.TokenSingle, acts: seq(of(0, on(model.Unpark, 1), done), of(0, parkIt, done))},
		{name: "dropped", claim: model.TokenKept, acts: seq(of(1, unpark0, done), of(0, timed, timedOut))},
		{name: "dropped as it timed out", claim: model.TokenKept, acts: then(par(seq(of(0, timed, timedOut)),
			of(1, unpark0, done), of(0, timed, timedOut)), of(0, timed, timedOut))},
		{name: "kept as it timed out", acts: then(par(seq(of(0, timed, timedOut)),
			of(1, unpark0, done), of(0, timed, timedOut)), of(0, timed, aToken))},
	})
}

func TestClosedParkerDoesNotWait(t *testing.T) {
	judge(t, model.Parkers(2), []verdict{
		{name: "after", acts: seq(of(1, close0, done), of(0, parkIt, done), of(0, parkIt, done))},
		{name: "during", acts: par(seq(of(0, timed, timedOut)), of(1, close0, done), of(0, parkIt, done))},
		{name: "it leaves a token", acts: seq(of(1, close0, done), of(0, timed, aToken), of(0, timed, timedOut))},
		{name: "a park beside it leaves the token", acts: then(par(nil, of(1, close0, done), of(0, parkIt, done)),
			of(0, timed, aToken), of(0, timed, timedOut))},
		{name: "but one", claim: model.TokenSingle, acts: then(par(nil, of(1, close0, done), of(0, parkIt, done)),
			of(0, timed, aToken), of(0, timed, aToken))},
		{name: "no token is no excuse", claim: model.TokenKept, acts: seq(of(1, close0, done), of(0, timed, timedOut))},
	})
}

func TestReadAfterParkSeesTheWrite(t *testing.T) {
	write := model.Op{Kind: model.Write, Args: []model.Task{5}}
	read := just(model.Read)
	judge(t, model.Parkers(2), []verdict{
		{name: "seen", acts: seq(of(1, write, done), of(1, unpark0, done), of(0, parkIt, done), of(0, read, took(5)))},
		{name: "not read", acts: seq(of(1, write, done), of(1, unpark0, done), of(0, parkIt, done), of(0, read, is(model.Skipped)))},
		{name: "stale", claim: model.UnparkPublishes, acts: seq(of(1, write, done), of(1, unpark0, done), of(0, parkIt, done), of(0, read, took(0)))},
	})
}
