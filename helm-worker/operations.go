// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"helm.sh/helm/v4/pkg/action"
	ci "helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/kube"
	ri "helm.sh/helm/v4/pkg/release"
	"helm.sh/helm/v4/pkg/release/common"
	release "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage/driver"
)

// The Helm command line sets this on all of its actions; the SDK alone would not.
const statusComputeWorkers = 8

// releaseParams are those of all operations on a release; rollback and uninstall leave out what they do not need.
type releaseParams struct {
	Cluster          string            `json:"cluster"`
	Kubeconfig       string            `json:"kubeconfig"`
	Namespace        string            `json:"namespace"`
	Release          string            `json:"release"`
	TimeoutMillis    int64             `json:"timeoutMillis"`
	Chart            string            `json:"chart"`
	ChartDigest      string            `json:"chartDigest"`
	Values           json.RawMessage   `json:"values"`
	Labels           map[string]string `json:"labels"`
	Validate         bool              `json:"validate"`
	HistoryMax       int               `json:"historyMax"`
	InstallIfMissing bool              `json:"installIfMissing"`
	Revision         int               `json:"revision"`
}

// releaseRun is one operation on one release. Its methods do what the Helm command line does with the flags that the
// operator gives it, in the same order and with the same errors.
type releaseRun struct {
	releaseParams
	charts        *chartCache
	configuration *action.Configuration
	operation     *operation
}

func (r *releaseRun) timeout() time.Duration {
	return time.Duration(r.TimeoutMillis) * time.Millisecond
}

// waitOptions end all waiting when the operation is cancelled. Nothing else is given the context of the operation: an
// action whose context ends returns while it goes on in a goroutine that may then wait for ever.
func (r *releaseRun) waitOptions() []kube.WaitOption {
	return []kube.WaitOption{kube.WithStatusComputeWorkers(statusComputeWorkers), kube.WithWaitContext(r.operation.ctx)}
}

func (r *releaseRun) install() error {
	client := action.NewInstall(r.configuration)
	client.WaitStrategy = kube.HookOnlyStrategy
	client.WaitOptions = r.waitOptions()
	client.Timeout = r.timeout()
	client.Labels = r.Labels
	client.DisableOpenAPIValidation = !r.Validate
	if err := r.runInstall(client); err != nil {
		return fmt.Errorf("INSTALLATION FAILED: %w", err)
	}
	return nil
}

func (r *releaseRun) runInstall(client *action.Install) error {
	client.ReleaseName = r.Release
	client.Namespace = r.Namespace
	prepared, values, err := r.chartAndValues()
	if err != nil {
		return err
	}
	if err := requireInstallable(prepared); err != nil {
		return err
	}
	if err := requireDependencies(prepared); err != nil {
		return err
	}
	_, err = client.Run(prepared, values)
	return err
}

func (r *releaseRun) upgrade() error {
	if r.InstallIfMissing {
		history := action.NewHistory(r.configuration)
		history.Max = 1
		versions, err := history.Run(r.Release)
		if errors.Is(err, driver.ErrReleaseNotFound) || isUninstalled(versions) {
			return r.installInstead(isUninstalled(versions))
		}
		if err != nil {
			return err
		}
	}
	client := action.NewUpgrade(r.configuration)
	client.Namespace = r.Namespace
	client.Install = r.InstallIfMissing
	client.ResetValues = true
	client.ServerSideApply = "true"
	client.ForceConflicts = true
	client.MaxHistory = r.HistoryMax
	client.WaitStrategy = kube.HookOnlyStrategy
	client.WaitOptions = r.waitOptions()
	client.Timeout = r.timeout()
	client.Labels = r.Labels
	client.DisableOpenAPIValidation = !r.Validate

	prepared, values, err := r.chartAndValues()
	if err != nil {
		return err
	}
	if err := requireDependencies(prepared); err != nil {
		return err
	}
	if _, err := client.Run(r.Release, prepared, values); err != nil {
		return fmt.Errorf("UPGRADE FAILED: %w", err)
	}
	return nil
}

func (r *releaseRun) installInstead(replace bool) error {
	client := action.NewInstall(r.configuration)
	client.WaitStrategy = kube.HookOnlyStrategy
	client.WaitOptions = r.waitOptions()
	client.Timeout = r.timeout()
	client.Labels = r.Labels
	client.DisableOpenAPIValidation = !r.Validate
	client.ForceConflicts = true
	client.Replace = replace
	return r.runInstall(client)
}

func (r *releaseRun) rollback() error {
	client := action.NewRollback(r.configuration)
	client.Version = r.Revision
	client.ServerSideApply = "true"
	client.ForceConflicts = true
	client.MaxHistory = r.HistoryMax
	client.WaitStrategy = kube.HookOnlyStrategy
	client.WaitOptions = r.waitOptions()
	client.Timeout = r.timeout()
	return client.Run(r.Release)
}

func (r *releaseRun) uninstall() error {
	client := action.NewUninstall(r.configuration)
	client.IgnoreNotFound = true
	client.DeletionPropagation = "background"
	client.WaitStrategy = kube.StatusWatcherStrategy
	client.WaitOptions = r.waitOptions()
	client.Timeout = r.timeout()
	_, err := client.Run(r.Release)
	return err
}

func (r *releaseRun) chartAndValues() (ci.Charter, map[string]any, error) {
	return chartAndValues(r.charts, r.Chart, r.ChartDigest, r.Values)
}

// chartAndValues reads values as the command line reads a file of them, which decides how numbers are stored.
func chartAndValues(charts *chartCache, path, digest string, given json.RawMessage) (ci.Charter, map[string]any, error) {
	if len(given) == 0 {
		given = json.RawMessage("{}")
	}
	values, err := loader.LoadValues(bytes.NewReader(given))
	if err != nil {
		return nil, nil, fmt.Errorf("failed to parse the values: %w", err)
	}
	prepared, err := charts.load(path, digest)
	return prepared, values, err
}

func requireInstallable(given ci.Charter) error {
	accessor, err := ci.NewAccessor(given)
	if err != nil {
		return err
	}
	switch kind := accessor.MetadataAsMap()["Type"]; kind {
	case "", "application":
		return nil
	default:
		return fmt.Errorf("%s charts are not installable", kind)
	}
}

func requireDependencies(given ci.Charter) error {
	accessor, err := ci.NewAccessor(given)
	if err != nil {
		return err
	}
	if wanted := accessor.MetaDependencies(); len(wanted) > 0 {
		if err := action.CheckDependencies(given, wanted); err != nil {
			return fmt.Errorf("an error occurred while checking for chart dependencies. "+
				"You may need to run 'helm dependency build' to fetch missing dependencies: %w", err)
		}
	}
	return nil
}

func isUninstalled(versions []ri.Releaser) bool {
	if len(versions) == 0 {
		return false
	}
	last, ok := versions[len(versions)-1].(*release.Release)
	return ok && last.Info.Status == common.StatusUninstalled
}
