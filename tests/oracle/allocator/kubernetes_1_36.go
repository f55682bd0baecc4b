//go:build kubernetes_1_36

package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

var defaultGates = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAConsumableCapacity":        true,
	"DRADeviceBindingConditions":   true,
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
