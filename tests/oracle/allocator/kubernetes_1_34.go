//go:build kubernetes_1_34

package main

import (
	"context"
	resourceapi "k8s.io/api/resource/v1alpha3"
	rulelisters "k8s.io/client-go/listers/resource/v1alpha3"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/dynamic-resource-allocation/structured"
)

var defaultGates = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAConsumableCapacity":        false,
	"DRADeviceBindingConditions":   false,
	"DRADeviceTaints":              false,
	"DRAPartitionableDevices":      false,
	"DRAPrioritizedList":           true,
	"DRAResourceClaimDeviceStatus": true,
}

// allocatorFeatures follows PreFilter of the dynamicresources plugin.
func allocatorFeatures(gates map[string]bool) structured.Features {
	return structured.Features{
		AdminAccess:          gates["DRAAdminAccess"],
		ConsumableCapacity:   gates["DRAConsumableCapacity"],
		DeviceBinding:        gates["DRADeviceBindingConditions"],
		DeviceStatus:         gates["DRAResourceClaimDeviceStatus"],
		DeviceTaints:         gates["DRADeviceTaints"],
		PartitionableDevices: gates["DRAPartitionableDevices"],
		PrioritizedList:      gates["DRAPrioritizedList"],
	}
}

func celFeatures(gates map[string]bool) cel.Features {
	return cel.Features{EnableConsumableCapacity: gates["DRAConsumableCapacity"]}
}

// concernsOnlyNode: every error is fatal to the pod.
func concernsOnlyNode(error) bool { return false }

type (
	taintRule     = resourceapi.DeviceTaintRule
	taintRuleList = resourceapi.DeviceTaintRuleList
)

func startTracker(ctx context.Context, gates map[string]bool, from sources) (*tracker.Tracker, error) {
	return tracker.StartTracker(ctx, tracker.Options{
		EnableDeviceTaints:       gates["DRADeviceTaints"],
		EnableConsumableCapacity: gates["DRAConsumableCapacity"],
		SliceInformer:            sliceSource{from.slices},
		TaintInformer:            ruleSource{from.rules},
		ClassInformer:            classSource{from.classes},
	})
}

func (s ruleSource) Lister() rulelisters.DeviceTaintRuleLister {
	return rulelisters.NewDeviceTaintRuleLister(s.informer.GetIndexer())
}
