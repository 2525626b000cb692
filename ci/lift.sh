#!/usr/bin/env bash
# Copies package queue to a directory of yours, where it needs nothing but the
# standard library: the shim's imports become sync/atomic and sync, and its Cell
# becomes a type of the package.
#
#   ci/lift.sh DIR
#
# DIR is made; it must not hold Go files yet.
set -euo pipefail
[ "$#" = 1 ] || { echo "usage: ci/lift.sh DIR" >&2 && exit 1; }
queue=$(cd "$(dirname "${BASH_SOURCE[0]}")/../queue" && pwd)
mkdir -p "$1"
for file in "$1"/*.go; do
	[ ! -e "$file" ] || { echo "lift.sh: $file is in the way" >&2 && exit 1; }
done

for file in "$queue"/*.go; do
	case $file in
	*_test.go | *_loom.go) continue ;;
	esac
	sed -e 's#"github.com/filch-sched/filch/loom/\(atomic\)"#"sync/\1"#' \
		-e 's#"github.com/filch-sched/filch/loom/sync"#"sync"#' \
		-e '/"github.com\/filch-sched\/filch\/loom\/cell"/d' \
		-e '/^\/\/go:build !loom$/d' \
		-e 's/cell\.Cell\[/Cell[/g' "$file" >"$1/$(basename "$file")"
done
cat >"$1/cell.go" <<'GO'
package queue

// Cell is one plain variable, which its users synchronize.
type Cell[T any] struct{ v T }

func (c *Cell[T]) Load() T   { return c.v }
func (c *Cell[T]) Store(v T) { c.v = v }
GO
gofmt -w "$1"
printf 'lift.sh: package queue is in %s, %s files\n' "$1" "$(find "$1" -name '*.go' | wc -l | tr -d ' ')"
