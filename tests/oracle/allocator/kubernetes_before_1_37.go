//go:build kubernetes_1_34 || kubernetes_1_35 || kubernetes_1_36

package main

import (
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
)

// classSource is what these trackers want of an informer factory as well: rules of 1.34 may select by class.
type classSource struct{ informer cache.SharedIndexInformer }

func (s classSource) Informer() cache.SharedIndexInformer { return s.informer }
func (s classSource) Lister() resourcelisters.DeviceClassLister {
	return resourcelisters.NewDeviceClassLister(s.informer.GetIndexer())
}
