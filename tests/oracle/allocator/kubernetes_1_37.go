//go:build !kubernetes_1_34 && !kubernetes_1_35 && !kubernetes_1_36

package main

import (
	"context"
	"errors"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	resourceinformers "k8s.io/client-go/informers/resource/v1"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/dynamic-resource-allocation/structured"
)

// defaultGates are those that the allocator, its CEL and the tracker are given (pkg/features/kube_features.go).
// DRAFractionalCapacityRange is on by default only with --min-compatibility-version=1.37, which is 1.36 by itself.
var defaultGates = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAConsumableCapacity":        true,
	"DRADerivedAttributes":         false,
	"DRADeviceBindingConditions":   true,
	"DRADeviceCompatibilityGroups": false,
	"DRADeviceTaintRules":          true,
	"DRADeviceTaints":              true,
	"DRAFractionalCapacityRange":   false,
	"DRAListTypeAttributes":        false,
	"DRAOptionalNodeOperations":    false,
	"DRAPartitionableDevices":      true,
	"DRAPrioritizedList":           true,
	"DRAResourceClaimDeviceStatus": true,
}

// allocatorFeatures follows dynamicresources.AllocatorFeatures.
func allocatorFeatures(gates map[string]bool) structured.Features {
	return structured.Features{
		AdminAccess:             gates["DRAAdminAccess"],
		CompatibilityGroups:     gates["DRADeviceCompatibilityGroups"],
		ConsumableCapacity:      gates["DRAConsumableCapacity"],
		DerivedAttributes:       gates["DRADerivedAttributes"],
		DeviceBindingAndStatus:  gates["DRADeviceBindingConditions"] && gates["DRAResourceClaimDeviceStatus"],
		DeviceTaints:            gates["DRADeviceTaints"],
		FractionalCapacityRange: gates["DRAFractionalCapacityRange"],
		ListTypeAttributes:      gates["DRAListTypeAttributes"],
		OptionalNodeOperations:  gates["DRAOptionalNodeOperations"],
		PartitionableDevices:    gates["DRAPartitionableDevices"],
		PrioritizedList:         gates["DRAPrioritizedList"],
	}
}

func celFeatures(gates map[string]bool) cel.Features {
	return cel.Features{
		EnableConsumableCapacity: gates["DRAConsumableCapacity"],
		EnableListTypeAttributes: gates["DRAListTypeAttributes"],
	}
}

func concernsOnlyNode(err error) bool {
	return errors.Is(err, structured.ErrFailedAllocationOnNode)
}

type taintRule = *resourceapi.DeviceTaintRule

// patchedSlices are the slices as the scheduler's tracker gives them: with the taints of the rules.
func patchedSlices(
	ctx context.Context, gates map[string]bool, slices []*resourceapi.ResourceSlice, rules []taintRule,
) ([]*resourceapi.ResourceSlice, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sliceList := &resourceapi.ResourceSliceList{}
	for _, each := range slices {
		sliceList.Items = append(sliceList.Items, *each)
	}
	ruleList := &resourceapi.DeviceTaintRuleList{}
	for _, each := range rules {
		ruleList.Items = append(ruleList.Items, *each)
	}
	sliceInformer := newInformer(&resourceapi.ResourceSlice{}, sliceList)
	ruleInformer := newInformer(&resourceapi.DeviceTaintRule{}, ruleList)
	running, err := tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaintRules:   gates["DRADeviceTaintRules"],
		EnableConsumableCapacity: gates["DRAConsumableCapacity"],
		SliceInformer:            sliceSource{sliceInformer},
		TaintInformer:            ruleSource{ruleInformer},
	})
	if err != nil {
		return nil, err
	}
	defer running.Stop()
	go sliceInformer.RunWithContext(ctx)
	go ruleInformer.RunWithContext(ctx)
	<-running.HasSyncedChecker().Done()
	return running.ListPatchedResourceSlices()
}

func newInformer[T interface {
	cache.Object
	runtime.Object
}](of T, objects runtime.Object) cache.TypedSharedIndexInformer[T] {
	return cache.NewTypedSharedIndexInformer[T](
		cache.NewSharedIndexInformer(listed{objects}, of, 0, cache.Indexers{}))
}

// sliceSource is what the tracker wants to have of an informer factory.
type sliceSource struct {
	informer cache.TypedSharedIndexInformer[*resourceapi.ResourceSlice]
}

func (s sliceSource) Informer() cache.SharedIndexInformer { return s.informer }
func (s sliceSource) TypedInformer() resourceinformers.ResourceSliceIndexInformer {
	return s.informer
}
func (s sliceSource) Lister() resourcelisters.ResourceSliceLister {
	return resourcelisters.NewResourceSliceLister(s.informer.GetIndexer())
}

// ruleSource is the same for rules.
type ruleSource struct {
	informer cache.TypedSharedIndexInformer[*resourceapi.DeviceTaintRule]
}

func (s ruleSource) Informer() cache.SharedIndexInformer { return s.informer }
func (s ruleSource) TypedInformer() resourceinformers.DeviceTaintRuleIndexInformer {
	return s.informer
}
func (s ruleSource) Lister() resourcelisters.DeviceTaintRuleLister {
	return resourcelisters.NewDeviceTaintRuleLister(s.informer.GetIndexer())
}
