// Package pairs reads and judges histories that others have recorded, as pairs of
// lines: one when an operation is called and one when it returns. Each line is a
// JSON object, as Jepsen writes them:
//
//	{"process":0,"type":"invoke","f":"write","value":4}
//	{"process":1,"type":"invoke","f":"read","value":null}
//	{"process":0,"type":"ok","f":"write","value":4}
//	{"process":1,"type":"ok","f":"read","value":4}
//
// The order of the lines is the order of the events; there are no stamps. A process
// does one operation at a time. type is invoke for a call, and for the return
//
//   - ok: it was done;
//   - fail: it was not done; of cas, the value was another; of dequeue, pop and
//     steal, there was nothing; of enqueue and push to what has a capacity, it was
//     full;
//   - info: nobody knows whether it was done, or will be, and so it is with an
//     operation that never returns.
//
// Other keys, such as time and index, are ignored. Lines may end as on Windows, and a
// byte order mark may come first, and empty lines at the end. The first line may say what the
// history is of, and must unless the caller of [Read] does:
//
//	{"history":"pairs/1","object":"queue","capacity":16}
//
// The objects and their operations, as f names them:
//
//	register  read, write V, cas [OLD, NEW]      begins as null
//	kv        get, put V, append V; each line has a key    keys begin as ""
//	queue     enqueue V, dequeue                 first in, first out
//	deque     push V, pop, steal                 push and pop by one process
//
// Values are numbers or strings; read, get, dequeue, pop and steal answer one in the
// line of their return. What goes into a queue or a deque must differ.
//
// Registers and keys are judged by porcupine, with the memory that it needs, which
// is quadratic in the operations on one key, and queues and deques by package
// linearizability.
package pairs
