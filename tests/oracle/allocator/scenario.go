package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// filterTimeout is the default of DynamicResourcesArgs.filterTimeout.
const filterTimeout = 10 * time.Second

// scenario is a small cluster and the claims of one pod, in its order, none of them allocated. All objects are as
// the API server stores them: defaulted, and without fields of features that are off.
type scenario struct {
	Nodes      []*v1.Node                   `json:"nodes"`
	Slices     []*resourceapi.ResourceSlice `json:"slices"`
	Classes    []*resourceapi.DeviceClass   `json:"classes"`
	Claims     []*resourceapi.ResourceClaim `json:"claims"`
	Held       []*resourceapi.ResourceClaim `json:"held"`
	TaintRules []*taintRule                 `json:"taintRules"`
	// Gates replaces the defaults of single feature gates.
	Gates map[string]bool `json:"gates"`
}

// answer is what the DynamicResources filter makes of one node.
type answer struct {
	Node string `json:"node"`
	// Outcome is Allocates, Refuses, Fails or TimedOut.
	Outcome     string       `json:"outcome"`
	Message     string       `json:"message,omitempty"`
	Allocations []allocation `json:"allocations,omitempty"`
}

// allocation is what one claim gets.
type allocation struct {
	Devices      []device         `json:"devices"`
	NodeSelector *v1.NodeSelector `json:"nodeSelector,omitempty"`
}

type device struct {
	Request                  string            `json:"request"`
	Driver                   string            `json:"driver"`
	Pool                     string            `json:"pool"`
	Device                   string            `json:"device"`
	AdminAccess              bool              `json:"adminAccess,omitempty"`
	Shared                   bool              `json:"shared,omitempty"`
	ConsumedCapacity         map[string]string `json:"consumedCapacity,omitempty"`
	BindingConditions        []string          `json:"bindingConditions,omitempty"`
	BindingFailureConditions []string          `json:"bindingFailureConditions,omitempty"`
}

func (s *scenario) answers(ctx context.Context) ([]answer, error) {
	gates, err := gatesWith(s.Gates)
	if err != nil {
		return nil, err
	}
	slices, err := patchedSlices(ctx, gates, s)
	if err != nil {
		return nil, err
	}
	state := allocatedState(s.Held, gates["DRAConsumableCapacity"])
	cache := cel.NewCache(10, celFeatures(gates))
	// one for all nodes, as in the scheduler
	allocator, err := structured.NewAllocator(ctx, allocatorFeatures(gates), state, classLister(s.Classes), slices, cache)
	if err != nil {
		return nil, err
	}
	answers := make([]answer, len(s.Nodes))
	for i, node := range s.Nodes {
		answers[i] = ask(ctx, allocator, node, s.Claims)
	}
	return answers, nil
}

// ask runs the allocator as the Filter function of the DynamicResources plugin does.
func ask(ctx context.Context, allocator structured.Allocator, node *v1.Node, claims []*resourceapi.ResourceClaim) answer {
	ctx, cancel := context.WithTimeout(ctx, filterTimeout)
	defer cancel()
	results, err := allocator.Allocate(ctx, node, claims)
	given := answer{Node: node.Name}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		given.Outcome, given.Message = "TimedOut", "timed out trying to allocate devices"
	case concernsOnlyNode(err):
		given.Outcome, given.Message = "Refuses", err.Error()
	case err != nil:
		given.Outcome, given.Message = "Fails", err.Error()
	case len(results) != len(claims):
		given.Outcome, given.Message = "Refuses", "cannot allocate all claims"
	default:
		given.Outcome = "Allocates"
		for _, result := range results {
			given.Allocations = append(given.Allocations, allocationOf(result))
		}
	}
	return given
}

func allocationOf(result resourceapi.AllocationResult) allocation {
	told := allocation{Devices: []device{}, NodeSelector: result.NodeSelector}
	for _, each := range result.Devices.Results {
		consumed := map[string]string{}
		for name, quantity := range each.ConsumedCapacity {
			consumed[string(name)] = quantity.String()
		}
		told.Devices = append(told.Devices, device{
			Request: each.Request, Driver: each.Driver, Pool: each.Pool, Device: each.Device,
			AdminAccess: each.AdminAccess != nil && *each.AdminAccess, Shared: each.ShareID != nil,
			ConsumedCapacity: consumed, BindingConditions: each.BindingConditions,
			BindingFailureConditions: each.BindingFailureConditions,
		})
	}
	return told
}

// classLister finds classes by name.
type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, each := range l {
		if each.Name == name {
			return each, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("deviceclass"), name)
}

// gatesWith are the gates of this version with some replaced.
func gatesWith(replaced map[string]bool) (map[string]bool, error) {
	gates := map[string]bool{}
	for name, on := range defaultGates {
		gates[name] = on
	}
	for name, on := range replaced {
		if _, known := gates[name]; !known {
			return nil, fmt.Errorf("feature gate %s is not known", name)
		}
		gates[name] = on
	}
	return gates, nil
}
