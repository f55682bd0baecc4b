//go:build !kubernetes_1_34 && !kubernetes_1_35 && !kubernetes_1_36

package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// listed stands in for the API server of an informer: a list of objects that never change.
type listed struct{ objects runtime.Object }

func (l listed) List(metav1.ListOptions) (runtime.Object, error) { return l.objects, nil }

func (l listed) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

// IsWatchListSemanticsUnSupported makes the reflector list.
func (l listed) IsWatchListSemanticsUnSupported() bool { return true }
