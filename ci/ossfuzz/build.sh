#!/usr/bin/env bash
# Builds filch's fuzz targets for the engines that speak libFuzzer, as OSS-Fuzz and
# ClusterFuzzLite run them: into $OUT one program for each target, and a zip of its
# seeds. To use it there, copy this directory to projects/filch of oss-fuzz, or to
# .clusterfuzzlite in the root of the repository.
#
#   OUT=DIR ci/ossfuzz/build.sh [TARGET...]
#
# needs nothing of theirs: without $LIB_FUZZING_ENGINE it links clang's libFuzzer.
# The compiler of Go puts in the counters itself (-d=libfuzzer). The entry point is
# not part of the tree, since it needs cgo, which nothing else here does.
set -euo pipefail
self=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${FILCH:-}
for dir in "$self/../.." "${SRC:-/src}/filch" "$self/.."; do
	if [ -z "$root" ] && [ -f "$dir/go.mod" ] && [ -d "$dir/fuzz" ]; then root=$(cd "$dir" && pwd); fi
done
[ -n "$root" ] || { echo "build.sh: filch is neither above this script nor in \$SRC; set FILCH" >&2; exit 2; }
: "${OUT:?is where the programs go}"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
targets=("$@")
[ $# -gt 0 ] || targets=(ring inject park tracker idle sched text history)
CXX=${CXX:-$(command -v clang++ || command -v clang++-14 || true)}
[ -n "$CXX" ] || { echo "build.sh: clang++ is missing; install it: apt-get install -y clang" >&2; exit 2; }
export CC=${CC:-${CXX/clang++/clang}}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/main.go" <<'GO'
// Package main is the entry point of libFuzzer.
package main

import "C"

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

var target string // by the linker

// LLVMFuzzerTestOneInput runs one input on a goroutine of its own: this one is
// bound to a thread, which the coroutines of loom must not be.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.char, size C.size_t) C.int {
	in := bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(data)), size))
	done := make(chan error)
	go func() { done <- one(in) }()
	if err := <-done; err != nil {
		panic(err)
	}
	return 0
}

func one(in []byte) error {
	switch target {
	case "text":
		if s, err := model.Parse("text", string(in)); err == nil {
			if again, err := model.Parse("text", model.Format(s)); err != nil || model.Format(again) != model.Format(s) {
				return fmt.Errorf("a scenario changes when it is written and read: %v", err)
			}
		}
		return nil
	case "history":
		if h, err := linearizability.Read(bytes.NewReader(in)); err == nil {
			linearizability.Judge(h)
		}
		return nil
	}
	return fuzz.One(target, in, os.Getenv("FUZZ_FOUND"))
}

// main writes the seeds of a target: that of the archive is not run.
func main() {
	seeds, err := fuzz.Seeds(os.Args[1])
	for name, data := range seeds {
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[2], name), data, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
GO
# The entry point is a module of its own that uses the one above.
sed 's/^module .*/module libfuzzer/' "$root/go.mod" >"$tmp/go.mod"
printf 'require github.com/filch-sched/filch v0.0.0\nreplace github.com/filch-sched/filch => %s\n' "$root" >>"$tmp/go.mod"
cp "$root/go.sum" "$tmp/go.sum"
cd "$tmp"
export GOFLAGS=-mod=mod CGO_ENABLED=1
go build -tags loom -o seeds .
for t in "${targets[@]}"; do
	go build -tags loom,libfuzzer -buildmode=c-archive -trimpath -gcflags=all=-d=libfuzzer -ldflags="-X main.target=$t" -o "$t.a" .
	# shellcheck disable=SC2086 # flags are words
	"$CXX" ${CXXFLAGS:-} ${LIB_FUZZING_ENGINE:--fsanitize=fuzzer} "$t.a" -lpthread -o "$OUT/filch_$t"
	mkdir "$t"
	case $t in
	text) cp "$root"/model/scenarios/*.txt "$t" ;;
	history) for f in "$root"/linearizability/audit/testdata/*.jsonl; do [ ! -f "$f" ] || cp "$f" "$t"; done ;;
	*) ./seeds "$t" "$t" ;;
	esac
	[ -z "$(ls "$t")" ] || (cd "$t" && python3 -m zipfile -c "$OUT/filch_${t}_seed_corpus.zip" ./*)
	echo "filch_$t"
done
