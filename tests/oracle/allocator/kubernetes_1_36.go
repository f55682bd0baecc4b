//go:build kubernetes_1_36

package main

import (
	"context"
	"errors"

	resourceapi "k8s.io/api/resource/v1beta2"
	rulelisters "k8s.io/client-go/listers/resource/v1beta2"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/dynamic-resource-allocation/structured"
)

var defaultGates = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAConsumableCapacity":        true,
	"DRADeviceBindingConditions":   true,
	"DRADeviceTaintRules":          false,
	"DRADeviceTaints":              true,
	"DRAListTypeAttributes":        false,
	"DRAPartitionableDevices":      true,
	"DRAPrioritizedList":           true,
	"DRAResourceClaimDeviceStatus": true,
}

// allocatorFeatures follows dynamicresources.AllocatorFeatures, which leaves list attributes out.
func allocatorFeatures(gates map[string]bool) structured.Features {
	return structured.Features{
		AdminAccess:            gates["DRAAdminAccess"],
		ConsumableCapacity:     gates["DRAConsumableCapacity"],
		DeviceBindingAndStatus: gates["DRADeviceBindingConditions"] && gates["DRAResourceClaimDeviceStatus"],
		DeviceTaints:           gates["DRADeviceTaints"],
		PartitionableDevices:   gates["DRAPartitionableDevices"],
		PrioritizedList:        gates["DRAPrioritizedList"],
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
		ClassInformer:            classSource{from.classes},
	})
}

func (s ruleSource) Lister() rulelisters.DeviceTaintRuleLister {
	return rulelisters.NewDeviceTaintRuleLister(s.informer.GetIndexer())
}
