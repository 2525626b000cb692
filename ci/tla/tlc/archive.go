package tlc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/filch-sched/filch/tla"
)

// Archive makes a file of the classes that a run of model m loads, in the folder dir,
// for Java to begin later runs with: a run of a small model is half as long then. A Java
// that cannot make one runs without.
func (t *TLC) Archive(ctx context.Context, m tla.Model, dir string) error {
	maker := *t
	file := filepath.Join(dir, "tlc.jsa")
	maker.Java = append(t.Java[:len(t.Java):len(t.Java)], "-XX:+IgnoreUnrecognizedVMOptions", "-XX:ArchiveClassesAtExit="+file)
	if _, _, err := maker.Run(ctx, m); err != nil {
		return fmt.Errorf("tlc: an archive of classes: %w", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Java = append(t.Java[:len(t.Java):len(t.Java)], "-XX:SharedArchiveFile="+file)
	}
	return nil
}
