#!/usr/bin/env bash
# Everything that is checked, part by part.
#
#   ci/run.sh quick            what every push runs: all parts but bench
#   ci/run.sh nightly          all parts with their long bounds
#   ci/run.sh PART [quick|nightly]
#
# Each part prints its log and ends with one line, "PART: ok, figures" or
# "PART: FAILED, reason". A failed part does not stop the others. The exit
# status is 0 if all is well and 1 if not. Nothing is skipped: a part whose tool
# is missing fails and names the command that installs it.
set -euo pipefail
shopt -s inherit_errexit
self=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/$(basename "${BASH_SOURCE[0]}")
cd "$(dirname "$self")/.."

quick_parts=(vet test race audit loom graphs fuzz tla mutants)
nightly_parts=("${quick_parts[@]}" bench)

# The targets that filch must build and vet for.
targets=(linux/amd64 linux/arm64 linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)

figures= # what the part says of itself when it is ok
reason=  # what it says when a command fails: the step that it is at
passed=no

# step announces what is about to be run.
step() {
	reason=$1
	printf '+ %s\n' "$1"
}

fail() {
	reason=$1
	exit 1
}

# need TOOL PACKAGE fails unless TOOL is there.
need() {
	command -v "$1" >/dev/null || fail "$1 is missing; install it: apt-get install -y $2"
}

# logged COMMAND... runs the command and keeps what it prints in $log as well.
logged() {
	"$@" 2>&1 | tee "$log"
}

part_vet() {
	local target tags unformatted
	for target in "${targets[@]}"; do
		for tags in "" loom; do
			step "GOOS=${target%/*} GOARCH=${target#*/} go vet -tags '$tags' ./..."
			GOOS=${target%/*} GOARCH=${target#*/} go vet -tags "$tags" ./...
		done
	done
	step "go vet ./... and go test ./... in ci/bench"
	(cd ci/bench && go vet ./... && go vet -tags loom ./... && go test ./...)
	step "gofmt -l ."
	unformatted=$(gofmt -l .)
	[ -z "$unformatted" ] || fail "gofmt would change $(echo "$unformatted" | tr '\n' ' ')"
	step "GOARCH=386 go test ./queue ./idle ./park ./sched"
	logged env GOARCH=386 go test ./queue ./idle ./park ./sched
	count_packages
	figures="${#targets[@]} targets in both builds, $figures on 386"
}

# count_packages makes figures the number of packages whose tests passed in the
# last logged run. That there are none is a failure.
count_packages() {
	local n
	n=$(grep -c '^ok ' "$log") || fail "no test ran"
	figures="$n packages tested"
}

part_test() {
	step "go test ./..."
	logged go test ./... # as .ci/run has just done, whose results are then at hand
	count_packages
}

part_race() {
	need gcc "gcc libc6-dev"
	step "go test -race ./..."
	logged go test -race -timeout 5m ./...
	count_packages
}

part_loom() {
	local timeout=8m exhausted bounded i
	step "go test -tags loom ./..."
	FILCH_TABLE=$tmp/scenarios logged go test -tags loom -timeout "$timeout" ./...
	count_packages
	if [ "$mode" = nightly ]; then
		step "LOOM_SHARD=all FILCH_NIGHTLY=1 go test -tags loom -run '^TestScenario\$' ./model/target"
		LOOM_SHARD=all FILCH_NIGHTLY=1 FILCH_TABLE=$tmp/scenarios go test -tags loom -timeout 12h -run '^TestScenario$' ./model/target
		step "LOOM_TEST_PROGRAMS=50000 go test -tags loom -run '^TestOptimalSearchIsExact\$' ./loom"
		LOOM_TEST_PROGRAMS=50000 go test -tags loom -timeout 3h -run '^TestOptimalSearchIsExact$' ./loom
		step "LOOM_TEST_PROGRAMS=20000 go test -tags loom -run '^TestWidePrograms\$' ./loom"
		LOOM_TEST_PROGRAMS=20000 go test -tags loom -timeout 3h -run '^TestWidePrograms$' ./loom
		step "LOOM_TEST_MUTANTS=. go test -tags loom -run '^TestMutants\$' ./loom"
		LOOM_TEST_MUTANTS=. go test -tags loom -timeout 3h -run '^TestMutants$' ./loom
	fi
	step "at least 30 scenarios are explored to their ends"
	cat "$tmp/scenarios"
	exhausted=$(grep -c ' exhausted: \| exhausted (' "$tmp/scenarios") || fail "no scenario was explored to its end"
	bounded=$(grep -c ' not exhausted' "$tmp/scenarios") || true
	[ "$exhausted" -ge 30 ] || fail "only $exhausted scenarios were explored to their ends"
	step "four shares of a scenario are the whole"
	for i in 1 2 3 4; do
		LOOM_SHARD=$i/4 LOOM_REPORT=$tmp/shares go test -tags loom -count=1 -run '^TestScenario$/^chained-steal$' ./model/target
	done
	logged go run ./ci/shards "$tmp/shares"
	grep -q ' TestScenario/chained-steal#1: 2060 traces ' "$log" || fail "the shares are not the whole, 2060 traces"
	figures="$figures, $exhausted scenarios explored to their ends, $bounded for a time"
}

part_graphs() {
	local timeout=10m
	[ "$mode" = quick ] || timeout=12h
	step "FILCH_GRAPHS=$mode go test -tags loom -run '^TestGraph\$' ./model/target/closed"
	FILCH_GRAPHS=$mode logged go test -tags loom -timeout "$timeout" -v -run '^TestGraph$' ./model/target/closed
	figures="$(grep -c ' loom: exhausted: ' "$log") graphs closed" || fail "no graph was closed"
	if [ "$mode" = nightly ]; then
		step "FILCH_NIGHTLY=1 go test -tags loom -run '^TestManyStatesTakeLittleMemory\$' ./model/target/closed"
		FILCH_NIGHTLY=1 go test -tags loom -timeout 6h -v -run '^TestManyStatesTakeLittleMemory$' ./model/target/closed
		step "FILCH_NIGHTLY=1 go test -tags loom -run '^TestEveryChange' ./tla/bond"
		FILCH_NIGHTLY=1 go test -tags loom -timeout 6h -run '^TestEveryChange' ./tla/bond
	fi
}

part_audit() {
	local audit=$tmp/audit duration=10s plants plant status
	[ "$mode" = quick ] || duration=5m
	step "go build ./linearizability/audit"
	go build -o "$audit" ./linearizability/audit
	step "audit -duration $duration"
	"$audit" -duration "$duration" -report "$tmp/audit.html" | tee "$log"
	figures=$(tail -n 1 "$log")
	step "GOMAXPROCS=1 audit is inconclusive"
	status=0
	GOMAXPROCS=1 "$audit" -duration 1s -report "$tmp/one.html" | tail -n 1 || status=$?
	[ "$status" = 3 ] || fail "with one processor the audit ended with status $status, not 3 (inconclusive)"
	step "go vet ./... and go test ./... in linearizability/others"
	(cd linearizability/others && go vet ./... && go test ./... -args -filch.for="$([ "$mode" = quick ] && echo 2s || echo 60s)")
	if [ "$mode" = nightly ]; then
		step "go test -run Agree -filch.agree 100000 ./linearizability"
		go test -timeout 1h -run 'Agree$' ./linearizability -filch.agree 100000
		step "go test -run '^TestCampaign\$' -filch.seeds 10 ./linearizability/audit"
		go test -timeout 6h -run '^TestCampaign$' -v ./linearizability/audit -filch.plants '^(ring|inject|park)-' -filch.seeds 10
	fi
	step "audit -plant list"
	plants=$("$audit" -plant list | awk '{print $1}')
	[ "$(wc -l <<<"$plants")" -ge 8 ] || fail "audit -plant list names fewer than 8 planted bugs"
	for plant in $plants; do
		step "audit -plant $plant finds it"
		status=0
		timeout 60 "$audit" -plant "$plant" -report "$tmp/plant.html" >"$tmp/plant" || status=$?
		if [ "$status" = 0 ]; then # whether a window is met depends on the machine: widen them
			step "audit -perturb -plant $plant finds it"
			timeout 90 "$audit" -perturb -plant "$plant" -report "$tmp/plant.html" >"$tmp/plant" || status=$?
		fi
		tail -n 1 "$tmp/plant"
		[ "$status" = 1 ] || fail "audit -plant $plant ended with status $status, not 1"
		tail -n 1 "$tmp/plant" | grep -q '^verdict: violation ' || fail "audit -plant $plant names no claim"
	done
	figures="$figures, $(wc -w <<<"$plants") planted bugs found"
}

# The time of each fuzz target in the quick run: there are many, and what they have
# to find in a moment is what broke with this push.
quick_fuzz=3s

part_fuzz() {
	step "go run ./fuzz/all -tags loom -each $quick_fuzz ./..."
	logged go run ./fuzz/all -tags loom -each "$quick_fuzz" ./... || fail "a fuzz target failed with the tag loom"
	figures=$(tail -n 1 "$log" | sed 's/^all: ok, //')
	if [ "$mode" = nightly ]; then
		need clang++ clang
		step "go test -fuzz=FuzzScenario -fuzztime=60s ./fuzz"
		go test -fuzz='^FuzzScenario$' -fuzztime=60s ./fuzz
		for tags in "" loom; do
			step "go run ./fuzz/all -tags '$tags' -each 10m ./..."
			logged go run ./fuzz/all -tags "$tags" -each 10m ./... || fail "a fuzz target failed with the tags '$tags'"
			figures="$figures; with the tags '$tags' $(tail -n 1 "$log" | sed 's/^all: ok, //')"
		done
		step "ci/ossfuzz/build.sh"
		OUT=$tmp/ossfuzz ci/ossfuzz/build.sh
		step "filch_ring -max_total_time=60"
		(cd "$tmp" && "$tmp/ossfuzz/filch_ring" -max_total_time=60 -timeout=30 2>&1 | tail -n 1)
	fi
	step "go run ./ci/cover"
	logged go run ./ci/cover
	figures="$figures, $(tail -n 1 "$log" | sed 's/^cover: ok, //') run by property and fuzz tests"
}

part_tla() {
	need java openjdk-17-jre-headless
	need mvn maven
	step "go run ./ci/tla $mode"
	logged go run ./ci/tla "$mode" || fail "$(sed -n 's/^tla: FAILED, //p' "$log" | tail -n 1)"
	figures=$(tail -n 1 "$log" | sed 's/^tla: ok, //')
}

part_mutants() {
	local sample=(-sample 24 -seed "$(git rev-parse HEAD)")
	[ "$mode" = quick ] || sample=()
	step "go run ./ci/mutants ${sample[*]} -v"
	logged go run ./ci/mutants "${sample[@]}" -v
	figures=$(tail -n 1 "$log")
}

part_bench() {
	step "go run . in ci/bench"
	(cd ci/bench && go run .)
	command -v cargo >/dev/null || fail "cargo is missing; it comes with a Rust toolchain of 1.80 or later, see https://rustup.rs"
	step "go run -tags loom ./versus -rounds 5 -slice 2s in ci/bench"
	(cd ci/bench && go run -tags loom ./versus -rounds 5 -slice 2s)
	figures="the tables above; compare ratios, not times"
}

# finish prints the last line of a part, however it ends: only one that has run
# to its own end is ok, not one that was interrupted.
finish() {
	rm -rf "$tmp"
	if [ "$passed" = yes ]; then
		printf '%s: ok, %s, %d s\n' "$part" "$figures" "$SECONDS"
		return
	fi
	printf '%s: FAILED, %s\n' "$part" "$reason"
	exit 1
}

# run_all runs the parts named, each in a shell of its own, and sums up.
run_all() {
	local part failed=()
	for part in "$@"; do
		printf '\n== %s\n' "$part"
		bash "$self" "$part" "$mode" || failed+=("$part")
	done
	printf '\n'
	if [ "${#failed[@]}" -gt 0 ]; then
		printf '%s: FAILED, %d of %d parts: %s\n' "$mode" "${#failed[@]}" "$#" "${failed[*]}"
		exit 1
	fi
	printf '%s: ok, %d parts, %d s\n' "$mode" "$#" "$SECONDS"
}

usage() {
	printf 'usage: ci/run.sh quick|nightly\n       ci/run.sh PART [quick|nightly]\nparts: %s\n' \
		"${nightly_parts[*]}" >&2
	exit 1
}

mode=${2:-quick}
case $#$mode in
1quick | 2quick | 2nightly) ;;
*) usage ;;
esac
case $1 in
quick | nightly)
	[ "$#" = 1 ] || usage
	mode=$1
	parts="${mode}_parts[@]"
	run_all "${!parts}"
	;;
*)
	part=$1
	[[ " ${nightly_parts[*]} " == *" $part "* ]] || usage
	tmp=$(mktemp -d)
	log=$tmp/log
	trap finish EXIT
	trap 'fail "interrupted: $reason"' INT TERM
	need go golang-go
	"part_$part"
	passed=yes
	;;
esac
