//go:build !loom

package loom

import "errors"

func runGraph(func(), *config) (Report, error) {
	return Report{}, errors.New("loom: Graph needs the build tag loom")
}
