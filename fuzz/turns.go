package fuzz

// without is an order in which thread t has no turn, and those after it have a
// number less.
func without(order []int, t int) (out []int) {
	for _, u := range order {
		if u > t {
			out = append(out, u-1)
		} else if u < t {
			out = append(out, u)
		}
	}
	return out
}

// skipped is an order without turn i of thread t.
func skipped(order []int, t, i int) (out []int) {
	for _, u := range order {
		if u == t {
			if i--; i == -1 {
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// headOf is an order with only the first n turns of thread t.
func headOf(order []int, t, n int) (out []int) {
	for _, u := range order {
		if u == t {
			if n--; n < 0 {
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// tailOf is an order without the first n turns of thread t.
func tailOf(order []int, t, n int) (out []int) {
	for _, u := range order {
		if u == t {
			if n--; n >= 0 {
				continue
			}
		}
		out = append(out, u)
	}
	return out
}
