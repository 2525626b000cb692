package pairs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// fileWords are the words of package linearizability, and those of the files that stand
// for them, in turn.
var fileWords = strings.NewReplacer("inject.push", "enqueue", "inject.pop", "dequeue", "the inject queue", "the queue",
	"was open and had ", "had ", "= no room", "= fail", "= empty", "= fail", "= kept", "= ok", "= took", "= ok",
	"tasks", "values", "task", "value")

// queueWords are those of a queue alone.
var queueWords = strings.NewReplacer("pushed", "enqueued", "popped", "dequeued", "push", "enqueue", "pop", "dequeue")

var (
	numbered = regexp.MustCompile(`\b(value|enqueue|push|ok) (\d+)`)
	stamped  = regexp.MustCompile(`\[(\d+), -?\d+\] t\d+: `)
)

// inWords is a message about a history that was converted, in the words and with the
// values of the file.
func (c *converter) inWords(message string) string {
	text := strings.ReplaceAll(fileWords.Replace(message), "deque.", "")
	if c.h.Object == "queue" {
		text = queueWords.Replace(text)
	}
	text = stamped.ReplaceAllStringFunc(text, func(s string) string {
		call, _ := strconv.ParseInt(stamped.FindStringSubmatch(s)[1], 10, 64)
		for _, o := range c.h.Ops {
			if o.Call == call {
				return fmt.Sprintf("line %d, process %d: ", call, o.Process)
			}
		}
		return s
	})
	return numbered.ReplaceAllStringFunc(text, func(s string) string {
		part := numbered.FindStringSubmatch(s)
		n, err := strconv.Atoi(part[2])
		if err != nil || n < 1 || n > len(c.values) {
			return s
		}
		return part[1] + " " + orNothing(json.RawMessage(c.values[n-1]))
	})
}
