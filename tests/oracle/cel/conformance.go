package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	celpb "cel.dev/expr"
	// The cases' own messages, so that their text can be read.
	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	conformance "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"k8s.io/apiserver/pkg/cel/environment"
)

// testCase is one case of the specification, and what Kubernetes' environment for selectors makes of it.
type testCase struct {
	File       string          `json:"file"`
	Section    string          `json:"section"`
	Test       json.RawMessage `json:"test"` // cel.expr.conformance.test.SimpleTest as protobuf's JSON
	Kubernetes outcome         `json:"kubernetes"`
}

type outcome struct {
	CompileError string          `json:"compileError,omitempty"`
	Error        string          `json:"error,omitempty"`
	Type         string          `json:"type,omitempty"`
	Value        json.RawMessage `json:"value,omitempty"` // cel.expr.Value as protobuf's JSON
}

// writeCases writes every case of the *.textproto files in folder.
func writeCases(folder string, lines *json.Encoder) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.textproto"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("%s: no *.textproto there", folder)
	}
	env, err := selectorEnvironment(environment.StoredExpressions)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := writeFile(path, env, lines); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func writeFile(path string, env *cel.Env, lines *json.Encoder) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file := &conformance.SimpleTestFile{}
	if err := prototext.Unmarshal(text, file); err != nil {
		return err
	}
	for _, section := range file.GetSection() {
		for _, test := range section.GetTest() {
			content, err := protojson.Marshal(test)
			if err != nil {
				return fmt.Errorf("%s: %w", test.GetName(), err)
			}
			one := testCase{file.GetName(), section.GetName(), content, decide(env, test)}
			if err := lines.Encode(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide checks and evaluates the case as Kubernetes would: it knows no container and no message of the case,
// and it always checks.
func decide(env *cel.Env, test *conformance.SimpleTest) (decided outcome) {
	defer func() {
		if panicked := recover(); panicked != nil {
			decided = outcome{Error: fmt.Sprintf("internal error: %v", panicked)}
		}
	}()
	env, err := declare(env, test.GetTypeEnv())
	if err != nil {
		return outcome{CompileError: err.Error()}
	}
	ast, issues := env.Compile(test.GetExpr())
	if issues != nil {
		return outcome{CompileError: issues.String()}
	}
	decided.Type = cel.FormatCELType(ast.OutputType())
	if test.GetCheckOnly() {
		return decided
	}
	program, err := env.Program(ast)
	if err != nil { // the last step of compiling: constants are folded here
		return outcome{CompileError: err.Error()}
	}
	if decided.Value, err = evaluateCase(env, program, test.GetBindings()); err != nil {
		decided.Error = err.Error()
	}
	return decided
}

func declare(env *cel.Env, declarations []*celpb.Decl) (*cel.Env, error) {
	var options []cel.EnvOption
	for _, declaration := range declarations {
		option, err := cel.ProtoAsDeclaration(declaration)
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	return env.Extend(options...)
}

func evaluateCase(env *cel.Env, program cel.Program, bindings map[string]*celpb.ExprValue) (json.RawMessage, error) {
	variables := map[string]any{}
	for name, bound := range bindings {
		variable, err := cel.ProtoAsValue(env.CELTypeAdapter(), bound.GetValue())
		if err != nil {
			return nil, err
		}
		variables[name] = variable
	}
	evaluated, _, err := program.Eval(variables)
	if err != nil {
		return nil, err
	}
	content, err := cel.ValueAsProto(evaluated)
	if err != nil {
		return nil, err
	}
	return protojson.Marshal(content)
}
