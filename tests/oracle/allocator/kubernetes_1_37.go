//go:build !kubernetes_1_34 && !kubernetes_1_35 && !kubernetes_1_36

package main

import (
	"context"
	"errors"

	resourceapi "k8s.io/api/resource/v1"
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

type (
	taintRule     = resourceapi.DeviceTaintRule
	taintRuleList = resourceapi.DeviceTaintRuleList
)

func startTracker(ctx context.Context, gates map[string]bool, from sources) (*tracker.Tracker, error) {
	return tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaintRules:   gates["DRADeviceTaintRules"],
		EnableConsumableCapacity: gates["DRAConsumableCapacity"],
		SliceInformer:            sliceSource{from.slices},
		TaintInformer:            ruleSource{from.rules},
	})
}

func (s sliceSource) TypedInformer() resourceinformers.ResourceSliceIndexInformer {
	return cache.NewTypedSharedIndexInformer[*resourceapi.ResourceSlice](s.informer)
}

func (s ruleSource) TypedInformer() resourceinformers.DeviceTaintRuleIndexInformer {
	return cache.NewTypedSharedIndexInformer[*resourceapi.DeviceTaintRule](s.informer)
}

func (s ruleSource) Lister() resourcelisters.DeviceTaintRuleLister {
	return resourcelisters.NewDeviceTaintRuleLister(s.informer.GetIndexer())
}
