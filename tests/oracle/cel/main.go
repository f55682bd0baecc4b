// cel-oracle answers with the code that Kubernetes itself runs.
//
//	cel-oracle selectors             JSON lines in, JSON lines out: see selectors.go
//	cel-oracle conformance FOLDER    the cases of the CEL specification as JSON lines: see conformance.go
//	cel-oracle functions new|stored  the signatures of all functions as JSON lines: see functions.go
//	cel-oracle --version             the version of k8s.io/dynamic-resource-allocation
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"k8s.io/apiserver/pkg/cel/environment"
)

const judge = "k8s.io/dynamic-resource-allocation"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	switch {
	case len(arguments) == 1 && arguments[0] == "--version":
		_, err := fmt.Fprintln(out, version())
		return err
	case len(arguments) == 1 && arguments[0] == "selectors":
		return answerSelectors(os.Stdin, out, lines)
	case len(arguments) == 2 && arguments[0] == "conformance":
		return writeCases(arguments[1], lines)
	case len(arguments) == 2 && arguments[0] == "functions" && arguments[1] == "new":
		return writeFunctions(environment.NewExpressions, lines)
	case len(arguments) == 2 && arguments[0] == "functions" && arguments[1] == "stored":
		return writeFunctions(environment.StoredExpressions, lines)
	}
	return fmt.Errorf("usage: cel-oracle selectors | conformance FOLDER | functions new|stored | --version")
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
