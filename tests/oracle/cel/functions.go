package main

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// overload is one signature of one function that an expression of an environment may call.
type overload struct {
	Function string   `json:"function"`
	ID       string   `json:"id"`
	Args     []string `json:"args"` // the receiver first, where it is a member
	Result   string   `json:"result"`
	Member   bool     `json:"member"`
}

// writeFunctions writes every overload of the environment for stored, or for new expressions.
func writeFunctions(kind environment.Type, lines *json.Encoder) error {
	env, err := selectorEnvironment(kind)
	if err != nil {
		return err
	}
	var known []overload
	for name, function := range env.Functions() {
		for _, declared := range function.OverloadDecls() {
			one := overload{name, declared.ID(), []string{}, cel.FormatCELType(declared.ResultType()), declared.IsMemberFunction()}
			for _, argument := range declared.ArgTypes() {
				one.Args = append(one.Args, cel.FormatCELType(argument))
			}
			known = append(known, one)
		}
	}
	sort.Slice(known, func(i, j int) bool {
		return known[i].Function+" "+known[i].ID < known[j].Function+" "+known[j].ID
	})
	for _, one := range known {
		if err := lines.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

// selectorEnvironment is the environment that selectors are compiled in, with the variable device.
func selectorEnvironment(kind environment.Type) (*cel.Env, error) {
	compiled := dracel.GetCompiler(gates).CompileCELExpression("true", dracel.Options{EnvType: &kind})
	if compiled.Error != nil {
		return nil, fmt.Errorf("compile true: %w", compiled.Error)
	}
	return compiled.Environment, nil
}
