// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi/cached"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/util/openapi"
	"k8s.io/kubectl/pkg/validation"

	"helm.sh/helm/v4/pkg/kube"
	"helm.sh/helm/v4/pkg/kubeenv"
)

// clusterAccess is the way of one operation to its cluster: shared connections and knowledge, a transport of its own.
type clusterAccess struct {
	ctx       context.Context
	cluster   *cluster
	config    *rest.Config
	discovery *operationDiscovery
	mapper    *operationMapper
}

var _ genericclioptions.RESTClientGetter = (*clusterAccess)(nil)

func newClusterAccess(c *cluster, of *operation) (*clusterAccess, error) {
	config := &rest.Config{
		Host:      c.server,
		Transport: of.requests.over(c.authenticated),
		UserAgent: userAgent(),
		// Nothing waits on this side: the operator decides how many operations run at a time.
		QPS:            -1,
		WarningHandler: rest.NoWarnings{},
	}
	// As the Helm command line does. It is above the tracker, so that a second try is a request like any other.
	config.Wrap(func(base http.RoundTripper) http.RoundTripper { return &kubeenv.RetryingRoundTripper{Wrapped: base} })
	known, err := newOperationDiscovery(config, &c.discovery)
	if err != nil {
		return nil, err
	}
	return &clusterAccess{of.ctx, c, config, known, &operationMapper{known}}, nil
}

// ToRESTConfig returns a copy, for callers change what they get.
func (a *clusterAccess) ToRESTConfig() (*rest.Config, error) { return rest.CopyConfig(a.config), nil }

// ToDiscoveryClient returns the same one each time.
func (a *clusterAccess) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return a.discovery, nil
}

// ToRESTMapper returns the same one each time.
func (a *clusterAccess) ToRESTMapper() (meta.RESTMapper, error) { return a.mapper, nil }

// ToRawKubeConfigLoader is there for those who ask a kubeconfig for its namespace.
func (a *clusterAccess) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(a.cluster.kubeconfig, &clientcmd.ConfigOverrides{})
}

// clientFactory is kubectl's, but for one thing: whether a server validates the fields of a kind itself is asked once
// per kind and API, not once per operation. The answer is a megabyte of OpenAPI for each group.
type clientFactory struct {
	cmdutil.Factory
	access   *clusterAccess
	verifier func() (resource.Verifier, error)
}

var _ kube.Factory = (*clientFactory)(nil)

func newClientFactory(access *clusterAccess) *clientFactory {
	f := &clientFactory{Factory: cmdutil.NewFactory(access), access: access}
	f.verifier = sync.OnceValues(f.newVerifier)
	return f
}

// Validator is composed as kubectl does it, so that errors have the same texts.
func (f *clientFactory) Validator(directive string) (validation.Schema, error) {
	if directive == metav1.FieldValidationIgnore {
		return validation.NullSchema{}, nil
	}
	verifier, err := f.verifier()
	if err != nil {
		return nil, err
	}
	local := validation.ConjunctiveSchema{validation.NewSchemaValidation(f.Factory), validation.NoDoubleKeySchema{}}
	return validation.NewParamVerifyingSchema(local, verifier, directive), nil
}

func (f *clientFactory) newVerifier() (resource.Verifier, error) {
	dynamic, err := f.DynamicClient()
	if err != nil {
		return nil, err
	}
	parameter := resource.QueryParamFieldValidation
	byV3 := resource.NewQueryParamVerifierV3(dynamic, cached.NewClient(f.access.discovery.OpenAPIV3()), parameter)
	byV2 := resource.NewQueryParamVerifier(dynamic, openapi.NewOpenAPIGetter(f.access.discovery), parameter)
	return &sharedVerifier{f.access, resource.NewFallbackQueryParamVerifier(byV3, byV2)}, nil
}

// sharedVerifier remembers good answers as long as the API of the server stays the same. Schemas are large, so one
// operation reads them at a time; the others of that cluster mostly find the answer afterwards.
type sharedVerifier struct {
	access *clusterAccess
	server resource.Verifier
}

func (v *sharedVerifier) HasSupport(kind schema.GroupVersionKind) error {
	known, err := v.access.discovery.usable()
	if err != nil {
		return err
	}
	if known.isValidated(kind) {
		return nil
	}
	select {
	case known.validating <- struct{}{}:
		defer func() { <-known.validating }()
	case <-v.access.ctx.Done():
		return errStopped
	}
	if known.isValidated(kind) {
		return nil
	}
	if err := v.server.HasSupport(kind); err != nil {
		return err
	}
	known.validated.Store(kind, true)
	return nil
}
