// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/kube"
	release "helm.sh/helm/v4/pkg/release/v1"
)

type renderParams struct {
	Release     string          `json:"release"`
	Namespace   string          `json:"namespace"`
	Chart       string          `json:"chart"`
	ChartDigest string          `json:"chartDigest"`
	Values      json.RawMessage `json:"values"`
	KubeVersion string          `json:"kubeVersion"`
	APIVersions []string        `json:"apiVersions"`
	Upgrade     bool            `json:"upgrade"`
}

// render is `helm template --no-hooks`; it asks no cluster.
func render(operation *operation, charts *chartCache, p renderParams) (string, error) {
	configuration := action.NewConfiguration(action.ConfigurationSetLogger(newOperationLogs(operation.ctx)))
	client := action.NewInstall(configuration)
	if p.KubeVersion != "" {
		version, err := common.ParseKubeVersion(p.KubeVersion)
		if err != nil {
			return "", fmt.Errorf("invalid kube version '%s': %w", p.KubeVersion, err)
		}
		client.KubeVersion = version
	}
	client.DryRunStrategy = action.DryRunClient
	client.Replace = true
	client.ReleaseName = p.Release
	client.Namespace = p.Namespace
	client.DisableHooks = true
	client.APIVersions = common.VersionSet(p.APIVersions)
	client.IsUpgrade = p.Upgrade
	client.WaitStrategy = kube.HookOnlyStrategy

	prepared, values, err := chartAndValues(charts, p.Chart, p.ChartDigest, p.Values)
	if err != nil {
		return "", err
	}
	if err := requireInstallable(prepared); err != nil {
		return "", err
	}
	if err := requireDependencies(prepared); err != nil {
		return "", err
	}
	result, err := client.RunWithContext(operation.ctx, prepared, values)
	if err != nil {
		if result != nil {
			return "", fmt.Errorf("%w\n\nUse --debug flag to render out invalid YAML", err)
		}
		return "", err
	}
	return byTemplate(result.(*release.Release).Manifest), nil
}

const manifestStart = "---\n# Source: "

// byTemplate orders a manifest as `helm template --output-dir` does: one file for each template, in the order of their
// names, each behind a line of dashes. No manifest has this beginning in its middle, for Helm cuts at dashes.
func byTemplate(manifest string) string {
	files := map[string]string{}
	for _, part := range strings.Split(manifest, manifestStart) {
		name, _, found := strings.Cut(part, "\n")
		if found {
			files[name] += manifestStart + part
		}
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		text.WriteString("---\n")
		text.WriteString(files[name])
		text.WriteString("\n")
	}
	return text.String()
}
