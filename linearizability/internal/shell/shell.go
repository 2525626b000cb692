// Package shell makes words of commands that people copy into a shell.
package shell

import "strings"

// Quote returns path as one word.
func Quote(path string) string {
	if path == "" || strings.ContainsAny(path, " \t\n\"'$&;()<>|*?[]#~`\\!{}") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
