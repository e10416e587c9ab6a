// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestByTemplate(t *testing.T) {
	for name, row := range map[string]struct{ manifest, want string }{
		"nothing": {"", ""},
		"files by name, kinds in their order": {
			"---\n# Source: c/templates/b.yaml\nkind: Secret\n---\n# Source: c/templates/a.yaml\nkind: ConfigMap\n" +
				"---\n# Source: c/templates/b.yaml\nkind: Service\n",
			"---\n---\n# Source: c/templates/a.yaml\nkind: ConfigMap\n\n" +
				"---\n---\n# Source: c/templates/b.yaml\nkind: Secret\n---\n# Source: c/templates/b.yaml\nkind: Service\n\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := byTemplate(row.manifest); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestRender(t *testing.T) {
	c := greeted(t)
	path, digest := packed(t, "asking", map[string]string{
		"Chart.yaml": "{apiVersion: v2, name: asking, version: 1.0.0, kubeVersion: '>=1.30.0-0'}",
		"templates/a.yaml": manifestOf("{{ .Release.IsUpgrade }}") +
			"data: {kube: {{ .Capabilities.KubeVersion.Version | quote }}, has: {{ .Capabilities.APIVersions.Has \"x/v1\" | quote }}}\n",
		"templates/hook.yaml": manifestOf("hook") + "  annotations: {helm.sh/hook: pre-install}\n",
		"templates/bad.yaml":  "{{ if .Values.bad }}{{ fail .Values.bad }}{{ end }}",
	})
	library, libraryDigest := packed(t, "shelf", map[string]string{
		"Chart.yaml": "{apiVersion: v2, name: shelf, version: 1.0.0, type: library}"})
	missing, missingDigest := packed(t, "lacking", map[string]string{
		"Chart.yaml": "{apiVersion: v2, name: lacking, version: 1.0.0, dependencies: [{name: a, version: 1.0.0, repository: ''}]}"})
	base := map[string]any{"release": "it", "namespace": "default", "chart": path, "chartDigest": digest,
		"kubeVersion": "v1.36.3", "apiVersions": []string{"x/v1"}, "upgrade": true}

	rendered := *c.done("render", base).Manifest
	if !strings.Contains(rendered, "name: it-true") || !strings.Contains(rendered, `kube: "v1.36.3", has: "true"`) {
		t.Errorf("rendered\n%s", rendered)
	}
	if strings.Contains(rendered, "hook") {
		t.Errorf("a hook is no part of the manifest:\n%s", rendered)
	}
	for name, row := range map[string]struct {
		params map[string]any
		want   string
	}{
		"a chart that says no": {with(base, "values", map[string]string{"bad": "out of cheese"}), "out of cheese"},
		"an old server":        {with(base, "kubeVersion", "v1.20.0"), "which is incompatible with Kubernetes v1.20.0"},
		"no version":           {with(base, "kubeVersion", "new"), "invalid kube version 'new'"},
		"values that are none": {with(base, "values", []string{"x"}), "failed to parse the values"},
		"a library": {with(with(base, "chart", library), "chartDigest", libraryDigest),
			"library charts are not installable"},
		"a missing subchart": {with(with(base, "chart", missing), "chartDigest", missingDigest),
			"found in Chart.yaml, but missing in charts/ directory: a"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := c.result(c.send("render", row.params))
			if answer.Status != statusFailed || !strings.Contains(answer.Message, row.want) {
				t.Errorf("%s %q", answer.Status, answer.Message)
			}
		})
	}
}
