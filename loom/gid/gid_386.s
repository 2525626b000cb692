//go:build gc

#include "textflag.h"

// func get() uintptr
TEXT ·get(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET
