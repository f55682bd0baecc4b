// Reads a Dockerfile as docker does: prints its stages with their instructions, and what `docker build --check` warns of.
//
//	dockerfile < Dockerfile
//
// Nothing is fetched: every base image is taken to be a Linux one with a PATH.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

const baseImage = `{"architecture":"amd64","os":"linux","config":{"Env":["PATH=/usr/local/bin:/usr/bin:/bin"]}}`

type baseImages struct{}

func (baseImages) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	return ref, digest.FromString(baseImage), []byte(baseImage), nil
}

type instruction struct {
	Name   string `json:"name"`
	Fields any    `json:"fields"`
}

type stage struct {
	Name         string        `json:"name"`
	Base         string        `json:"base"`
	Instructions []instruction `json:"instructions"`
}

type warning struct {
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

type answer struct {
	Stages   []stage   `json:"stages"`
	Warnings []warning `json:"warnings"`
	Error    string    `json:"error"`
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(read(text))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(text []byte) answer {
	result := answer{Stages: []stage{}, Warnings: []warning{}}
	parsed, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		result.Error = err.Error()
		return result
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	for _, each := range stages {
		one := stage{each.Name, each.BaseName, []instruction{}}
		for _, command := range each.Commands {
			one.Instructions = append(one.Instructions, instruction{command.Name(), command})
		}
		result.Stages = append(result.Stages, one)
	}
	check(text, &result)
	return result
}

func check(text []byte, result *answer) {
	source := llb.NewSourceMap(nil, "Dockerfile", "Dockerfile", text)
	source.Definition = &llb.Definition{}
	options := dockerfile2llb.ConvertOpt{
		MetaResolver:   baseImages{},
		TargetPlatform: &ocispecs.Platform{OS: "linux", Architecture: "amd64"},
		SourceMap:      source,
	}
	found, err := dockerfile2llb.DockerfileLint(context.Background(), text, options)
	if err != nil {
		result.Error = err.Error()
		return
	}
	if found.Error != nil {
		result.Error = found.Error.Message
	}
	for _, each := range found.Warnings {
		result.Warnings = append(result.Warnings, warning{each.RuleName, each.Detail})
	}
}
