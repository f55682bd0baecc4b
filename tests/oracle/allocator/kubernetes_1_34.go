//go:build kubernetes_1_34

package main

import (
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
