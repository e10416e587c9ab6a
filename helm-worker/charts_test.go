// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// packed writes a chart archive and returns its path and its digest.
func packed(t *testing.T, name string, files map[string]string) (string, string) {
	t.Helper()
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	tarred := tar.NewWriter(zipped)
	names := make([]string, 0, len(files))
	for path := range files {
		names = append(names, path)
	}
	slices.Sort(names)
	for _, path := range names {
		header := &tar.Header{Name: name + "/" + path, Mode: 0o644, Size: int64(len(files[path]))}
		if err := tarred.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := tarred.Write([]byte(files[path])); err != nil {
			t.Fatal(err)
		}
	}
	tarred.Close()
	zipped.Close()
	path := filepath.Join(t.TempDir(), name+".tgz")
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(archive.Bytes())
	return path, hex.EncodeToString(sum[:])
}

// withSubchart is a chart whose subchart is there for those who enable it.
func withSubchart(t *testing.T) (string, string) {
	return packed(t, "parent", map[string]string{
		"Chart.yaml": `{apiVersion: v2, name: parent, version: 1.0.0, annotations: {a: b}, keywords: [k],
  maintainers: [{name: m}], dependencies: [{name: child, version: 1.0.0, repository: "", condition: child.enabled,
  tags: [t], import-values: [{child: exported, parent: imported}]}]}`,
		"Chart.lock":                     "{generated: 2026-01-02T03:04:05Z, digest: sha256:1, dependencies: []}",
		"values.yaml":                    "{own: {list: [{deep: 1}], text: x}, child: {enabled: false}}",
		"values.schema.json":             `{"type":"object"}`,
		"README.md":                      "read me",
		"crds/crd.yaml":                  "{}",
		"templates/own.yaml":             manifestOf("own"),
		"charts/child/Chart.yaml":        "{apiVersion: v2, name: child, version: 1.0.0}",
		"charts/child/values.yaml":       "exported: {from: child}",
		"charts/child/templates/it.yaml": manifestOf("child"),
	})
}

func manifestOf(name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-%s\n", name)
}

func loaded(t *testing.T, cache *chartCache, path, digest string) *chart.Chart {
	t.Helper()
	got, err := cache.load(path, digest)
	if err != nil {
		t.Fatal(err)
	}
	return got.(*chart.Chart)
}

func asText(t *testing.T, c *chart.Chart) string {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range c.Dependencies() {
		text = append(text, asText(t, each)...)
	}
	return string(text)
}

func TestACopyIsStoredAsTheOriginalIs(t *testing.T) {
	path, digest := withSubchart(t)
	pristine, _, err := readChart(path, digest)
	if err != nil {
		t.Fatal(err)
	}
	original := pristine.(*chart.Chart)

	copied := copyChart(original)

	if got, want := asText(t, copied), asText(t, original); got != want {
		t.Errorf("copied\n%s\nof\n%s", got, want)
	}
	if child := copied.Dependencies()[0]; child.Parent() != copied || child.ChartFullPath() != "parent/charts/child" {
		t.Errorf("the subchart is at %s", child.ChartFullPath())
	}
}

func TestWhatIsDoneToACopyDoesNotReachTheNext(t *testing.T) {
	path, digest := withSubchart(t)
	cache := newChartCache(maxCharts, maxChartBytes)
	before := asText(t, loaded(t, cache, path, digest))
	victim := loaded(t, cache, path, digest)

	victim.Values["own"].(map[string]any)["list"].([]any)[0].(map[string]any)["deep"] = "changed"
	victim.Metadata.Annotations["a"] = "changed"
	victim.Metadata.Keywords[0] = "changed"
	victim.Metadata.Maintainers[0].Name = "changed"
	victim.Metadata.Dependencies[0].Tags[0] = "changed"
	victim.Metadata.Dependencies[0].ImportValues[0].(map[string]any)["child"] = "changed"
	victim.Templates[0] = nil
	if err := chartutil.ProcessDependencies(victim, map[string]any{}); err != nil {
		t.Fatal(err)
	}

	if got := asText(t, loaded(t, cache, path, digest)); got != before {
		t.Errorf("now\n%s\nbefore\n%s", got, before)
	}
}

func TestRunsSideBySideEnableASubchartEachForItself(t *testing.T) {
	path, digest := withSubchart(t)
	cache := newChartCache(maxCharts, maxChartBytes)
	var all sync.WaitGroup
	for run := range 40 {
		all.Go(func() {
			enabled := run%2 == 0
			p := renderParams{Release: "it", Namespace: "default", Chart: path, ChartDigest: digest,
				Values: fmt.Appendf(nil, `{"child":{"enabled":%v}}`, enabled)}
			started := &operation{ctx: t.Context(), requests: newRequestTracker(steady())}
			manifest, err := render(started, cache, p)
			if err != nil {
				t.Error(err)
			}
			if got := strings.Contains(manifest, "it-child"); got != enabled {
				t.Errorf("run %d: the subchart is rendered: %v", run, got)
			}
		})
	}
	all.Wait()
	if cache.recent.Len() != 1 {
		t.Errorf("%d charts are kept", cache.recent.Len())
	}
}

func TestCharts(t *testing.T) {
	path, digest := withSubchart(t)
	cache := newChartCache(maxCharts, maxChartBytes)
	for name, row := range map[string]struct{ path, digest, want string }{
		"a file that is gone":        {"/nowhere/x.tgz", "1", `path "/nowhere/x.tgz" not found`},
		"another file than was said": {path, strings.Repeat("0", 64), "its SHA-256 differs"},
		"no digest":                  {path, "", "its SHA-256 differs"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := cache.load(row.path, row.digest); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if cache.recent.Len() != 0 || cache.bytes != 0 {
		t.Errorf("failures are kept: %d entries, %d bytes", cache.recent.Len(), cache.bytes)
	}
	loaded(t, cache, path, digest)
}

func TestTheCacheIsBounded(t *testing.T) {
	type saved struct{ path, digest string }
	var charts []saved
	for i := range 4 {
		path, digest := packed(t, "big", map[string]string{
			"Chart.yaml": "{apiVersion: v2, name: big, version: 1.0.0}",
			"filler.txt": strings.Repeat(fmt.Sprint(i), 10_000*(1+i/3*9)),
		})
		charts = append(charts, saved{path, digest})
	}
	for name, row := range map[string]struct {
		cache *chartCache
		loads []int
		kept  []int
	}{
		"by number, oldest first": {newChartCache(2, 1<<20), []int{0, 1, 2}, []int{1, 2}},
		"what is used stays":      {newChartCache(2, 1<<20), []int{0, 1, 0, 2}, []int{0, 2}},
		"by size":                 {newChartCache(9, 25_000), []int{0, 1, 2}, []int{1, 2}},
		"what is too large is not kept and ousts nobody": {newChartCache(9, 50_000), []int{0, 1, 3}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, i := range row.loads {
				loaded(t, row.cache, charts[i].path, charts[i].digest)
			}
			var kept []int
			for i, each := range charts {
				if row.cache.entries[each.digest] != nil {
					kept = append(kept, i)
				}
			}
			if !slices.Equal(kept, row.kept) {
				t.Errorf("kept %v, want %v", kept, row.kept)
			}
			if row.cache.bytes > row.cache.maxBytes || row.cache.recent.Len() != len(row.cache.entries) {
				t.Errorf("%d bytes, %d and %d entries", row.cache.bytes, row.cache.recent.Len(), len(row.cache.entries))
			}
		})
	}
}
