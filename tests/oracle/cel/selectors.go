package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// gates are as 1.37 has them by default.
var gates = dracel.Features{EnableConsumableCapacity: true}

// question is one line of input. A line with "pool" sets the devices that the lines after it speak of and has
// no answer; any other line compiles one expression and evaluates it on devices of the pool.
type question struct {
	Pool       []device `json:"pool"`
	Expression string   `json:"expression"`
	Stored     bool     `json:"stored"`
	Devices    []int    `json:"devices"` // places in the pool
	Times      int      `json:"times"`   // do it all so often: the order of a Go map is left to chance
}

type device struct {
	Driver                   string                                                    `json:"driver"`
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
}

// answer is what one compilation and the evaluations of its program gave.
type answer struct {
	CompileError string   `json:"compileError,omitempty"`
	MaxCost      uint64   `json:"maxCost,omitempty"` // estimated
	Results      []result `json:"results,omitempty"` // one for each device asked for
}

type result struct {
	Value string  `json:"value"` // true, false or error
	Error string  `json:"error,omitempty"`
	Cost  *uint64 `json:"cost,omitempty"` // actual; none where the evaluation ended in a panic
}

// answerSelectors writes for every question the list of its distinct answers. It flushes after each, so that the
// asking side may wait for it.
func answerSelectors(in io.Reader, out *bufio.Writer, lines *json.Encoder) error {
	compile := dracel.GetCompiler(gates).CompileCELExpression
	var pool []dracel.Device
	reader := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for {
		var asked question
		if err := reader.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if asked.Pool != nil {
			pool = devices(asked.Pool)
			continue
		}
		if err := lines.Encode(distinctAnswers(compile, asked, pool)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func devices(pool []device) []dracel.Device {
	converted := make([]dracel.Device, len(pool))
	for i, d := range pool {
		converted[i] = dracel.Device(d)
	}
	return converted
}

type compileFunc func(expression string, options dracel.Options) dracel.CompilationResult

func distinctAnswers(compile compileFunc, asked question, pool []dracel.Device) []answer {
	var found []answer
	seen := map[string]bool{}
	for range max(1, asked.Times) {
		one := answerOnce(compile, asked, pool)
		key, err := json.Marshal(one)
		if err != nil {
			panic(err) // an answer holds nothing but text and numbers
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			found = append(found, one)
		}
	}
	return found
}

func answerOnce(compile compileFunc, asked question, pool []dracel.Device) (given answer) {
	defer func() { // the API server recovers too, and answers 500
		if panicked := recover(); panicked != nil {
			given = answer{CompileError: fmt.Sprintf("internal error: %v", panicked)}
		}
	}()
	kind := environment.NewExpressions
	if asked.Stored {
		kind = environment.StoredExpressions
	}
	compiled := compile(asked.Expression, dracel.Options{EnvType: &kind})
	if compiled.Error != nil {
		return answer{CompileError: compiled.Error.Detail}
	}
	given.MaxCost = compiled.MaxCost
	for _, place := range asked.Devices {
		given.Results = append(given.Results, evaluate(compiled, pool[place]))
	}
	return given
}

func evaluate(compiled dracel.CompilationResult, on dracel.Device) result {
	matches, details, err := compiled.DeviceMatches(context.Background(), on)
	given := result{Value: fmt.Sprint(matches), Cost: details.ActualCost()}
	if err != nil {
		given.Value, given.Error = "error", err.Error()
	}
	return given
}
