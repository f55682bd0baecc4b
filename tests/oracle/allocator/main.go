// allocator-oracle answers with the allocator that kube-scheduler itself runs.
//
//	allocator-oracle             JSON lines in (scenario.go), JSON lines out: a list of answers, one per node
//	allocator-oracle --version   the version of k8s.io/dynamic-resource-allocation
//
// One set of sources serves several versions of Kubernetes: what differs between them is in kubernetes_*.go, chosen
// by a build tag, and each version has a go.mod of its own.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/klog/v2"
)

const judge = "k8s.io/dynamic-resource-allocation"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	switch {
	case len(arguments) == 0:
		return answerScenarios(os.Stdin, os.Stdout)
	case len(arguments) == 1 && arguments[0] == "--version":
		_, err := fmt.Println(version())
		return err
	}
	return fmt.Errorf("usage: allocator-oracle [--version]")
}

func answerScenarios(from io.Reader, to io.Writer) error {
	klog.SetLogger(klog.Logger{}) // the trackers' informers would write to stderr
	in := json.NewDecoder(bufio.NewReaderSize(from, 1<<20))
	in.DisallowUnknownFields()
	out := bufio.NewWriter(to)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for {
		var asked scenario
		if err := in.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		answers, err := asked.answers(context.Background())
		if err != nil {
			return err
		}
		if err := lines.Encode(answers); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == judge {
				return module.Version
			}
		}
	}
	return "unknown"
}
