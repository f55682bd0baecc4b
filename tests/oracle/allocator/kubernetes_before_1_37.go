//go:build kubernetes_1_34 || kubernetes_1_35 || kubernetes_1_36

package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
)

// taintRule is not read: the feature is off by default in these versions.
type taintRule = json.RawMessage

// patchedSlices are the slices in any order: without taint rules the scheduler's tracker hands on what its informer
// lists, and that is the order of a Go map.
func patchedSlices(
	_ context.Context, _ map[string]bool, published []*resourceapi.ResourceSlice, rules []taintRule,
) ([]*resourceapi.ResourceSlice, error) {
	if len(rules) > 0 {
		return nil, errors.New("taint rules are off by default before Kubernetes 1.37")
	}
	listed := slices.Clone(published)
	rand.Shuffle(len(listed), func(i, j int) { listed[i], listed[j] = listed[j], listed[i] })
	return listed, nil
}
