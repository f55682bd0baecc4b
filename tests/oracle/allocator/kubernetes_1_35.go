//go:build kubernetes_1_35

package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
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

// allocatorFeatures follows dynamicresources.AllocatorFeatures.
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
	return cel.Features{EnableConsumableCapacity: gates["DRAConsumableCapacity"]}
}

func concernsOnlyNode(err error) bool {
	return errors.Is(err, structured.ErrFailedAllocationOnNode)
}
