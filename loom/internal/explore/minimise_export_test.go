package explore

// Merge is merge, for tests.
var Merge = merge
