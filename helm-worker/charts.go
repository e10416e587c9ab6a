// SPDX-License-Identifier: Apache-2.0

package main

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	ci "helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/loader"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

const (
	maxCharts     = 32
	maxChartBytes = 48 << 20
)

// chartCache holds charts as they were read, the ones used last. Whoever takes one gets a copy: Helm changes a chart
// while it renders it, for it removes subcharts that are not enabled and merges values into others.
type chartCache struct {
	maxCharts int
	maxBytes  int64

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  *list.List
	bytes   int64
}

// chartEntry is read once, by whoever comes first; others wait for that.
type chartEntry struct {
	digest string
	read   func() (ci.Charter, int64, error)
	size   int64
	gone   bool
}

func newChartCache(maxCharts int, maxBytes int64) *chartCache {
	return &chartCache{maxCharts: maxCharts, maxBytes: maxBytes, entries: map[string]*list.Element{}, recent: list.New()}
}

// load returns a chart that the caller may change.
func (c *chartCache) load(path, digest string) (ci.Charter, error) {
	entry := c.entry(path, digest)
	pristine, size, err := entry.read()
	c.settle(entry, size, err)
	if err != nil {
		return nil, err
	}
	if known, ok := pristine.(*chart.Chart); ok {
		return copyChart(known), nil
	}
	// A format that Helm reads and does not install: it is refused before anybody changes it.
	return pristine, nil
}

func (c *chartCache) entry(path, digest string) *chartEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.entries[digest]; known != nil {
		c.recent.MoveToFront(known)
		return known.Value.(*chartEntry)
	}
	entry := &chartEntry{digest: digest}
	entry.read = onceValues(func() (ci.Charter, int64, error) { return readChart(path, digest) })
	c.entries[digest] = c.recent.PushFront(entry)
	return entry
}

// settle counts what was read, and forgets what could not be read or is too much.
func (c *chartCache) settle(entry *chartEntry, size int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry.gone {
		return
	}
	if entry.size == 0 {
		entry.size = size
		c.bytes += size
	}
	if err != nil || size > c.maxBytes {
		c.remove(entry)
	}
	for c.recent.Len() > c.maxCharts || c.bytes > c.maxBytes {
		c.remove(c.recent.Back().Value.(*chartEntry))
	}
}

func (c *chartCache) remove(entry *chartEntry) {
	c.recent.Remove(c.entries[entry.digest])
	delete(c.entries, entry.digest)
	c.bytes -= entry.size
	entry.gone = true
}

func onceValues(read func() (ci.Charter, int64, error)) func() (ci.Charter, int64, error) {
	type result struct {
		chart ci.Charter
		size  int64
		err   error
	}
	once := sync.OnceValue(func() result {
		read, size, err := read()
		return result{read, size, err}
	})
	return func() (ci.Charter, int64, error) {
		r := once()
		return r.chart, r.size, r.err
	}
}

// readChart says what the Helm command line says about an archive that cannot be used.
func readChart(path, digest string) (ci.Charter, int64, error) {
	packed, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, fmt.Errorf("path %q not found", path)
	}
	if err != nil {
		return nil, 0, err
	}
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != digest {
		return nil, 0, errors.New("the chart archive is not the one that was asked for: its SHA-256 differs")
	}
	read, err := loader.LoadFile(path)
	if err != nil {
		return nil, 0, err
	}
	if known, ok := read.(*chart.Chart); ok {
		size := sizeOf(known)
		withoutRaw(known)
		return known, size, nil
	}
	return read, int64(len(packed)), nil
}

func sizeOf(c *chart.Chart) int64 {
	size := int64(1 << 10)
	for _, file := range c.Raw {
		size += int64(len(file.Data))
	}
	for _, dependency := range c.Dependencies() {
		size += sizeOf(dependency)
	}
	return size
}

// withoutRaw drops the files as they were packed: only `helm show` and `helm package` read them.
func withoutRaw(c *chart.Chart) {
	c.Raw = nil
	for _, dependency := range c.Dependencies() {
		withoutRaw(dependency)
	}
}

// copyChart shares nothing that Helm or a template can change. The content of files is shared: nobody writes to it.
func copyChart(c *chart.Chart) *chart.Chart {
	copied := &chart.Chart{
		Metadata:      copyMetadata(c.Metadata),
		Lock:          c.Lock,
		Templates:     slices.Clone(c.Templates),
		Values:        copyValue(c.Values).(map[string]any),
		Schema:        c.Schema,
		SchemaModTime: c.SchemaModTime,
		Files:         slices.Clone(c.Files),
		ModTime:       c.ModTime,
	}
	for _, dependency := range c.Dependencies() {
		copied.AddDependency(copyChart(dependency))
	}
	return copied
}

func copyMetadata(metadata *chart.Metadata) *chart.Metadata {
	if metadata == nil {
		return nil
	}
	copied := *metadata
	copied.Sources = slices.Clone(metadata.Sources)
	copied.Keywords = slices.Clone(metadata.Keywords)
	copied.Annotations = maps.Clone(metadata.Annotations)
	copied.Maintainers = slices.Clone(metadata.Maintainers)
	for i, each := range copied.Maintainers {
		maintainer := *each
		copied.Maintainers[i] = &maintainer
	}
	copied.Dependencies = slices.Clone(metadata.Dependencies)
	for i, each := range copied.Dependencies {
		dependency := *each
		dependency.Tags = slices.Clone(each.Tags)
		if each.ImportValues != nil {
			dependency.ImportValues = copyValue(each.ImportValues).([]any)
		}
		copied.Dependencies[i] = &dependency
	}
	return &copied
}

func copyValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		copied := make(map[string]any, len(v))
		for key, below := range v {
			copied[key] = copyValue(below)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, below := range v {
			copied[i] = copyValue(below)
		}
		return copied
	default:
		return value
	}
}
