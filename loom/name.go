package loom

// Name has reports call what p points to, and the objects in it, by name: those in
// fields by name.field, in arrays and slices by name[i], and what pointers in it
// point to likewise, in the whole report. Call it in the body, after p has been made. What gets no
// name is called by its kind and a number, in the order in which objects are
// first used.
//
// Name is no step and does nothing but in an execution that is reported. p must
// be a pointer; a slice in it that grows later has no names in what is new.
func Name(p any, name string) {
	if t := current(); t != nil {
		t.Name(p, name)
	}
}
