// SPDX-License-Identifier: Apache-2.0

package main

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// operationMapper maps kinds by what is known of the API, and asks the server once more before it says that there is no
// such kind: a chart, one of its hooks or somebody else may just have brought it.
type operationMapper struct {
	discovery *operationDiscovery
}

var _ meta.ResettableRESTMapper = (*operationMapper)(nil)

func mapped[T any](m *operationMapper, ask func(meta.RESTMapper) (T, error)) (T, error) {
	var none T
	known, err := m.discovery.usable()
	if err != nil {
		return none, err
	}
	found, err := ask(known.mapper)
	if err == nil || !meta.IsNoMatchError(err) {
		return found, err
	}
	m.discovery.Invalidate()
	now, unknown := m.discovery.confirm()
	if unknown != nil || now == known {
		return found, err
	}
	return ask(now.mapper)
}

func (m *operationMapper) Reset() { m.discovery.reset() }

func (m *operationMapper) KindFor(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return mapped(m, func(by meta.RESTMapper) (schema.GroupVersionKind, error) { return by.KindFor(resource) })
}

func (m *operationMapper) KindsFor(resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return mapped(m, func(by meta.RESTMapper) ([]schema.GroupVersionKind, error) { return by.KindsFor(resource) })
}

func (m *operationMapper) ResourceFor(input schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return mapped(m, func(by meta.RESTMapper) (schema.GroupVersionResource, error) { return by.ResourceFor(input) })
}

func (m *operationMapper) ResourcesFor(input schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return mapped(m, func(by meta.RESTMapper) ([]schema.GroupVersionResource, error) { return by.ResourcesFor(input) })
}

func (m *operationMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return mapped(m, func(by meta.RESTMapper) (*meta.RESTMapping, error) { return by.RESTMapping(kind, versions...) })
}

func (m *operationMapper) RESTMappings(kind schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return mapped(m, func(by meta.RESTMapper) ([]*meta.RESTMapping, error) { return by.RESTMappings(kind, versions...) })
}

func (m *operationMapper) ResourceSingularizer(resource string) (string, error) {
	return mapped(m, func(by meta.RESTMapper) (string, error) { return by.ResourceSingularizer(resource) })
}
