// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/kube"
	ri "helm.sh/helm/v4/pkg/release"
	release "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
)

// kubeClient is Helm's client. Helm calls it in goroutines of its own, where nobody else could catch a panic; and it
// sees when an operation changes the API itself.
type kubeClient struct {
	*kube.Client
	access *clusterAccess
}

var (
	_ kube.Interface            = (*kubeClient)(nil)
	_ kube.InterfaceWaitOptions = (*kubeClient)(nil)
)

// unreachableError says that the cluster is at fault, not the release.
type unreachableError struct{ cause error }

func (e *unreachableError) Error() string { return e.cause.Error() }
func (e *unreachableError) Unwrap() error { return e.cause }

// newConfiguration is what the Helm command line sets up for a namespace, with releases in Secrets.
func newConfiguration(access *clusterAccess, namespace string) (*action.Configuration, *releaseRecorder, error) {
	clients, err := kubernetes.NewForConfig(access.config)
	if err != nil {
		return nil, nil, err
	}
	logs := newOperationLogs(access.ctx)
	client := kube.New(access)
	client.SetLogger(logs)
	client.Factory = newClientFactory(access)
	client.Namespace = namespace
	recorder := &releaseRecorder{Driver: driver.NewSecrets(clients.CoreV1().Secrets(namespace))}

	configuration := action.NewConfiguration(action.ConfigurationSetLogger(logs))
	configuration.RESTClientGetter = access
	configuration.KubeClient = &kubeClient{client, access}
	configuration.Releases = storage.Init(recorder)
	configuration.HookOutputFunc = func(_, _, _ string) io.Writer { return io.Discard }
	return configuration, recorder, nil
}

func (c *kubeClient) IsReachable() error {
	if err := c.Client.IsReachable(); err != nil {
		return &unreachableError{err}
	}
	return nil
}

func (c *kubeClient) Build(reader io.Reader, validate bool) (list kube.ResourceList, err error) {
	defer recoverAs(&err)
	return c.Client.Build(reader, validate)
}

func (c *kubeClient) Create(list kube.ResourceList, options ...kube.ClientCreateOption) (result *kube.Result, err error) {
	defer recoverAs(&err)
	defer c.noteChange(list)
	return c.Client.Create(list, options...)
}

func (c *kubeClient) Update(
	original, target kube.ResourceList, options ...kube.ClientUpdateOption,
) (result *kube.Result, err error) {
	result = &kube.Result{}
	defer recoverAs(&err)
	defer c.noteChange(target)
	defer c.noteChange(original)
	return c.Client.Update(original, target, options...)
}

func (c *kubeClient) Delete(list kube.ResourceList, policy metav1.DeletionPropagation) (result *kube.Result, errs []error) {
	defer func() {
		if caught := recover(); caught != nil {
			errs = append(errs, panicked(caught))
		}
	}()
	defer c.noteChange(list)
	return c.Client.Delete(list, policy)
}

// noteChange forgets what is known of the API when the objects bring kinds or take them away.
func (c *kubeClient) noteChange(objects kube.ResourceList) {
	for _, each := range objects {
		switch each.Mapping.GroupVersionKind.GroupKind().String() {
		case "CustomResourceDefinition.apiextensions.k8s.io", "APIService.apiregistration.k8s.io":
			c.access.discovery.reset()
			return
		}
	}
}

func recoverAs(err *error) {
	if caught := recover(); caught != nil {
		*err = panicked(caught)
	}
}

func panicked(caught any) error {
	// The value may quote a chart's values: it goes to the operator, which redacts it, and not to the log.
	slog.Error("panic in an operation", "stack", stack())
	return fmt.Errorf("internal error of Helm: %v", caught)
}

// releaseRecorder remembers the revision that an operation has written last, as not all actions return it.
type releaseRecorder struct {
	driver.Driver
	written *release.Release
}

func (r *releaseRecorder) Create(key string, made ri.Releaser) error {
	err := r.Driver.Create(key, made)
	if err == nil {
		r.written, _ = made.(*release.Release)
	}
	return err
}

func (r *releaseRecorder) state() *releaseState {
	if r.written == nil {
		return nil
	}
	return &releaseState{
		Revision: r.written.Version,
		Status:   r.written.Info.Status.String(),
		Manifest: r.written.Manifest,
	}
}
