// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/retry"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/downloader"
	"helm.sh/helm/v4/pkg/getter"
	"helm.sh/helm/v4/pkg/registry"
)

type pullParams struct {
	Reference      string  `json:"reference"`
	Version        string  `json:"version"`
	PlainHTTP      bool    `json:"plainHttp"`
	RegistryConfig *string `json:"registryConfig"`
	CAPem          *string `json:"caPem"`
	CertPem        *string `json:"certPem"`
	KeyPem         *string `json:"keyPem"`
	Into           string  `json:"into"`
}

type packageParams struct {
	Directory string `json:"directory"`
	Into      string `json:"into"`
}

// pull is `helm pull` of a chart in a registry. Logins and certificates stay in memory.
func pull(operation *operation, p pullParams) (string, error) {
	if !registry.IsOCI(p.Reference) {
		return "", fmt.Errorf("%q is not in a registry: it must begin with oci://", p.Reference)
	}
	client, err := registryClient(operation, p)
	if err != nil {
		return "", err
	}
	download := downloader.ChartDownloader{
		Verify:         downloader.VerifyNever,
		Getters:        getter.Getters(),
		Options:        []getter.Option{getter.WithPlainHTTP(p.PlainHTTP), getter.WithRegistryClient(client)},
		RegistryClient: client,
		// Required, and never written to.
		ContentCache: filepath.Join(p.Into, ".none"),
	}
	archive, _, err := download.DownloadTo(p.Reference, p.Version, p.Into)
	return archive, err
}

func registryClient(operation *operation, p pullParams) (*registry.Client, error) {
	transport, err := registryTransport(p)
	if err != nil {
		return nil, err
	}
	http := &http.Client{Transport: operation.requests.over(transport)}
	if !hasOwnTLS(p) {
		http.Transport = retry.NewTransport(http.Transport)
	}
	logins, err := registryLogins(p.RegistryConfig)
	if err != nil {
		return nil, err
	}
	authorizer := auth.Client{Client: http, Cache: auth.NewCache(), Credential: credentials.Credential(logins)}
	authorizer.SetUserAgent(userAgent())
	options := []registry.ClientOption{registry.ClientOptHTTPClient(http), registry.ClientOptAuthorizer(authorizer)}
	if p.PlainHTTP && !hasOwnTLS(p) {
		options = append(options, registry.ClientOptPlainHTTP())
	}
	return registry.NewClient(options...)
}

func hasOwnTLS(p pullParams) bool { return p.CAPem != nil || p.CertPem != nil && p.KeyPem != nil }

// registryTransport differs with and without certificates of one's own as it does in the Helm command line.
func registryTransport(p pullParams) (*http.Transport, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// The connections are for this one download.
	transport.DisableKeepAlives = true
	if !hasOwnTLS(p) {
		return transport, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if p.CertPem != nil && p.KeyPem != nil {
		pair, err := tls.X509KeyPair([]byte(*p.CertPem), []byte(*p.KeyPem))
		if err != nil {
			return nil, fmt.Errorf("can't create TLS config for client: unable to load cert from key pair: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if p.CAPem != nil {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(*p.CAPem)) {
			return nil, errors.New("can't create TLS config for client: failed to append certificates from pem block")
		}
	}
	transport.TLSClientConfig = config
	return transport, nil
}

// registryLogins reads the file of logins that the environment names where the operator sends none.
func registryLogins(given *string) (credentials.Store, error) {
	if given != nil {
		logins, err := credentials.NewMemoryStoreFromDockerConfig([]byte(*given))
		if err != nil {
			// Its text may quote the logins.
			return nil, errors.New("the logins of registries cannot be read")
		}
		return logins, nil
	}
	if file := os.Getenv("HELM_REGISTRY_CONFIG"); file != "" {
		return credentials.NewStore(file, credentials.StoreOptions{})
	}
	return credentials.NewMemoryStore(), nil
}

// isNotFound tells a missing chart or version from a missing registry. There is one error for both, so the text decides,
// as it does for the command line.
func isNotFound(err error) bool {
	text := err.Error()
	return strings.HasSuffix(text, ": not found") ||
		strings.Contains(text, "MANIFEST_UNKNOWN") ||
		strings.Contains(text, "NAME_UNKNOWN") ||
		strings.Contains(text, "could not locate a version matching")
}

// pack is `helm package`.
func pack(p packageParams) (string, error) {
	directory, err := filepath.Abs(p.Directory)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(directory); err != nil {
		return "", err
	}
	client := action.NewPackage()
	client.Destination = p.Into
	return client.Run(directory, nil)
}
