// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// As client-go asks: the tag of an answer is one of its format as well.
const discoveryFormats = discovery.AcceptV2 + "," + discovery.AcceptV1

var discoveryPaths = []string{"/api", "/apis"}

// apiSnapshot is what a server said about its API at one moment. It does not change, so operations share it.
type apiSnapshot struct {
	tags      map[string]string
	groups    []*metav1.APIGroup
	resources []*metav1.APIResourceList
	// Of groups that could not be asked; the rest is complete.
	failure error
	mapper  meta.RESTMapper
	// Kinds whose fields this server validates itself, and the turn of the operation that asks about others.
	validated  sync.Map
	validating chan struct{}
}

func (s *apiSnapshot) isTagged() bool {
	return !slices.ContainsFunc(discoveryPaths, func(path string) bool { return s.tags[path] == "" })
}

func (s *apiSnapshot) isValidated(kind schema.GroupVersionKind) bool {
	_, ok := s.validated.Load(kind)
	return ok
}

// discoveryCache holds the last snapshot of a cluster, or none.
type discoveryCache struct {
	last atomic.Pointer[apiSnapshot]
}

func (c *discoveryCache) load() *apiSnapshot          { return c.last.Load() }
func (c *discoveryCache) store(snapshot *apiSnapshot) { c.last.Store(snapshot) }

// adopt keeps what was read, unless another operation has read the same at the same time: then both go on with that.
func (c *discoveryCache) adopt(fresh *apiSnapshot) *apiSnapshot {
	for {
		last := c.last.Load()
		if last != nil && last.isTagged() && maps.Equal(last.tags, fresh.tags) {
			return last
		}
		if c.last.CompareAndSwap(last, fresh) {
			return fresh
		}
	}
}

// operationDiscovery asks with the transport of one operation and shares the answers with all of that cluster. Helm
// renders for the API of this moment, so the server is asked in each operation that renders; mostly it answers that
// nothing has changed, in two small requests.
type operationDiscovery struct {
	discovery.DiscoveryInterface
	config *rest.Config
	cache  *discoveryCache

	mu        sync.Mutex
	confirmed *apiSnapshot
}

var _ discovery.CachedDiscoveryInterface = (*operationDiscovery)(nil)

func newOperationDiscovery(config *rest.Config, cache *discoveryCache) (*operationDiscovery, error) {
	plain, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &operationDiscovery{DiscoveryInterface: plain, config: config, cache: cache}, nil
}

// ServerGroupsAndResources answers for this moment, not from an earlier operation.
func (d *operationDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	snapshot, err := d.confirm()
	if err != nil {
		return nil, nil, err
	}
	return snapshot.groups, snapshot.resources, snapshot.failure
}

// ServerGroups answers for this moment.
func (d *operationDiscovery) ServerGroups() (*metav1.APIGroupList, error) {
	snapshot, err := d.confirm()
	if err != nil {
		return nil, err
	}
	list := &metav1.APIGroupList{}
	for _, group := range snapshot.groups {
		list.Groups = append(list.Groups, *group)
	}
	return list, nil
}

// Fresh is true: whoever finds nothing need not ask again, as operationMapper has done that.
func (d *operationDiscovery) Fresh() bool { return true }

// Invalidate makes the next question one to the server.
func (d *operationDiscovery) Invalidate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.confirmed = nil
}

// reset is for what has changed the API: not even the tags of the server's answers are trusted any more.
func (d *operationDiscovery) reset() {
	d.Invalidate()
	d.cache.store(nil)
}

// usable returns what is known, whether it was this operation that asked or an earlier one.
func (d *operationDiscovery) usable() (*apiSnapshot, error) {
	d.mu.Lock()
	known := d.confirmed
	d.mu.Unlock()
	if known == nil {
		known = d.cache.load()
	}
	if known == nil {
		return d.confirm()
	}
	return known, nil
}

func (d *operationDiscovery) confirm() (*apiSnapshot, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.confirmed != nil {
		return d.confirmed, nil
	}
	known := d.cache.load()
	if known == nil || !d.unchanged(known) {
		fresh, err := d.fetch()
		if err != nil {
			return nil, err
		}
		known = d.cache.adopt(fresh)
	}
	d.confirmed = known
	return known, nil
}

// unchanged asks whether a snapshot still holds. A server that gives no tags is always asked for everything.
func (d *operationDiscovery) unchanged(known *apiSnapshot) bool {
	if !known.isTagged() {
		return false
	}
	for _, path := range discoveryPaths {
		var code int
		d.RESTClient().Get().AbsPath(path).SetHeader("Accept", discoveryFormats).
			SetHeader("If-None-Match", known.tags[path]).Do(context.Background()).StatusCode(&code)
		if code != http.StatusNotModified {
			return false
		}
	}
	return true
}

func (d *operationDiscovery) fetch() (*apiSnapshot, error) {
	tags := &tagRecorder{tags: map[string]string{}}
	config := rest.CopyConfig(d.config)
	config.Wrap(func(base http.RoundTripper) http.RoundTripper {
		tags.base = base
		return tags
	})
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	groups, resources, err := client.ServerGroupsAndResources()
	if err != nil && !discovery.IsGroupDiscoveryFailedError(err) {
		return nil, err
	}
	return &apiSnapshot{
		tags:       tags.tags,
		groups:     groups,
		resources:  resources,
		failure:    err,
		mapper:     restmapper.NewDiscoveryRESTMapper(byGroup(groups, resources)),
		validating: make(chan struct{}, 1),
	}, nil
}

func byGroup(groups []*metav1.APIGroup, resources []*metav1.APIResourceList) []*restmapper.APIGroupResources {
	byVersion := map[string][]metav1.APIResource{}
	for _, list := range resources {
		byVersion[list.GroupVersion] = list.APIResources
	}
	var all []*restmapper.APIGroupResources
	for _, group := range groups {
		versions := map[string][]metav1.APIResource{}
		for _, each := range group.Versions {
			if served, ok := byVersion[each.GroupVersion]; ok {
				versions[each.Version] = served
			}
		}
		all = append(all, &restmapper.APIGroupResources{Group: *group, VersionedResources: versions})
	}
	return all
}

// tagRecorder notes by which tags the server will know its answers again.
type tagRecorder struct {
	base http.RoundTripper
	mu   sync.Mutex
	tags map[string]string
}

func (r *tagRecorder) RoundTrip(asked *http.Request) (*http.Response, error) {
	answer, err := r.base.RoundTrip(asked)
	if err == nil && answer.StatusCode == http.StatusOK {
		for _, path := range discoveryPaths {
			// The whole API may be below a path of its own.
			if strings.HasSuffix(asked.URL.Path, path) {
				r.mu.Lock()
				r.tags[path] = answer.Header.Get("ETag")
				r.mu.Unlock()
			}
		}
	}
	return answer, err
}
