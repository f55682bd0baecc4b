package main

import (
	"context"
	"math/rand"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
)

// patchedSlices are the slices as the scheduler's tracker gives them: with the taints of the rules, in any order. An
// informer keeps them in a map, which Go goes over from any start, but that of a small map in the order of what came.
func patchedSlices(ctx context.Context, gates map[string]bool, s *scenario) ([]*resourceapi.ResourceSlice, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slices := &resourceapi.ResourceSliceList{Items: values(s.Slices)}
	rand.Shuffle(len(slices.Items), func(i, j int) {
		slices.Items[i], slices.Items[j] = slices.Items[j], slices.Items[i]
	})
	rules := &taintRuleList{Items: values(s.TaintRules)}
	classes := &resourceapi.DeviceClassList{Items: values(s.Classes)}
	sources := sources{
		slices:  newInformer(&resourceapi.ResourceSlice{}, slices),
		rules:   newInformer(&taintRule{}, rules),
		classes: newInformer(&resourceapi.DeviceClass{}, classes),
	}
	running, err := startTracker(ctx, gates, sources)
	if err != nil {
		return nil, err
	}
	defer running.Stop()
	for _, each := range []cache.SharedIndexInformer{sources.slices, sources.rules, sources.classes} {
		go each.RunWithContext(ctx)
	}
	for !running.HasSynced() {
		time.Sleep(50 * time.Microsecond) // what client-go offers for this waits a tenth of a second
	}
	return running.ListPatchedResourceSlices()
}

// sources are the informers that a tracker follows.
type sources struct{ slices, rules, classes cache.SharedIndexInformer }

// sliceSource is what a tracker wants of an informer factory; some versions want more.
type sliceSource struct{ informer cache.SharedIndexInformer }

func (s sliceSource) Informer() cache.SharedIndexInformer { return s.informer }
func (s sliceSource) Lister() resourcelisters.ResourceSliceLister {
	return resourcelisters.NewResourceSliceLister(s.informer.GetIndexer())
}

// ruleSource is the same for rules; its lister is in the files of the versions.
type ruleSource struct{ informer cache.SharedIndexInformer }

func (s ruleSource) Informer() cache.SharedIndexInformer { return s.informer }

func newInformer(of, objects runtime.Object) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(listed{objects}, of, 0, cache.Indexers{})
}

// listed stands in for the API server of an informer: a list of objects that never change.
type listed struct{ objects runtime.Object }

func (l listed) List(metav1.ListOptions) (runtime.Object, error) { return l.objects, nil }

func (l listed) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

// IsWatchListSemanticsUnSupported makes the reflector list.
func (l listed) IsWatchListSemanticsUnSupported() bool { return true }

func values[T any](pointers []*T) []T {
	list := make([]T, 0, len(pointers))
	for _, each := range pointers {
		list = append(list, *each)
	}
	return list
}
