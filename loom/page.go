package loom

// Page has a violation drawn as a page of HTML in file, relative to the directory
// in which the test runs: one that needs no network, for people who would rather
// look than read. The report says where it is. If file ends with a slash, or is
// a directory, each exploration gets a file of its own in it, named after its
// test. A file that an earlier exploration of this process has written is not
// written over: a number is added to the name.
//
// LOOM_PAGE=file does the same from outside, for explorations without this
// option, with a file relative to the root of the module, as all that are named
// from outside. A replay draws its execution alike.
func Page(file string) Option { return func(c *config) { c.page = file } }
