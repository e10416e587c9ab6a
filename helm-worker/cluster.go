// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// cluster is what all operations on one cluster share while its kubeconfig stays the same: connections and what is known
// of its API. Nothing of it is ever on disk.
type cluster struct {
	digest        [sha256.Size]byte
	server        string
	kubeconfig    clientcmdapi.Config
	connections   *http.Transport
	authenticated http.RoundTripper
	discovery     discoveryCache

	mu         sync.Mutex
	lastUsed   time.Time
	operations int
	retired    bool
}

// newCluster refuses whatever would run a program or read a file: the operator sends kubeconfigs that need neither.
func newCluster(kubeconfig string) (*cluster, error) {
	parsed, err := clientcmd.Load([]byte(kubeconfig))
	if err != nil {
		return nil, errors.New("the kubeconfig cannot be read")
	}
	if err := requireSelfContained(parsed); err != nil {
		return nil, err
	}
	config, err := clientcmd.NewDefaultClientConfig(*parsed, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig cannot be used: %w", err)
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig cannot be used: %w", err)
	}
	connections, err := newConnections(config)
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig cannot be used: %w", err)
	}
	authenticated, err := rest.HTTPWrappersForConfig(credentialsOf(config), connections)
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig cannot be used: %w", err)
	}
	return &cluster{
		digest:        sha256.Sum256([]byte(kubeconfig)),
		server:        server.String(),
		kubeconfig:    *parsed,
		connections:   connections,
		authenticated: authenticated,
	}, nil
}

func requireSelfContained(kubeconfig *clientcmdapi.Config) error {
	for _, user := range kubeconfig.AuthInfos {
		switch {
		case user.Exec != nil:
			return errors.New("the kubeconfig runs a program for its credentials, which is not allowed here")
		case user.AuthProvider != nil:
			return errors.New("the kubeconfig uses an auth-provider, which is not allowed here")
		case user.TokenFile != "" || user.ClientCertificate != "" || user.ClientKey != "":
			return errors.New("the kubeconfig names files of a user, which is not allowed here")
		}
	}
	for _, server := range kubeconfig.Clusters {
		if server.CertificateAuthority != "" {
			return errors.New("the kubeconfig names a file of certificates, which is not allowed here")
		}
	}
	return nil
}

// newConnections is what client-go would make, but not from its cache: that one never forgets. A proxy is used only if
// the kubeconfig names it; those of the environment are for charts.
func newConnections(config *rest.Config) (*http.Transport, error) {
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	proxy := config.Proxy
	if proxy == nil {
		proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	}
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return utilnet.SetTransportDefaults(&http.Transport{
		Proxy:               proxy,
		TLSHandshakeTimeout: 10 * time.Second,
		TLSClientConfig:     tlsConfig,
		MaxIdleConnsPerHost: 25,
		DialContext:         dialer.DialContext,
		DisableCompression:  config.DisableCompression,
	}), nil
}

func credentialsOf(config *rest.Config) *rest.Config {
	return &rest.Config{
		Username:    config.Username,
		Password:    config.Password,
		BearerToken: config.BearerToken,
		Impersonate: config.Impersonate,
	}
}

func (c *cluster) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.operations++
	c.lastUsed = time.Now()
}

func (c *cluster) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.operations--
	c.lastUsed = time.Now()
	if c.retired && c.operations == 0 {
		go c.connections.CloseIdleConnections()
	}
}

// retire closes the connections as soon as nobody uses them. A server that takes nothing any more may hold that up, so
// nobody waits for it.
func (c *cluster) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	go c.connections.CloseIdleConnections()
}

func (c *cluster) idleSince(moment time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.operations == 0 && c.lastUsed.Before(moment)
}

// clusters are those that operations have named and nobody has forgotten.
type clusters struct {
	mu     sync.Mutex
	byName map[string]*cluster
}

func newClusters() *clusters { return &clusters{byName: map[string]*cluster{}} }

// use returns the cluster of that name. A kubeconfig that differs from the last one makes it anew. The caller calls
// release when its operation has ended.
func (c *clusters) use(name, kubeconfig string) (used *cluster, release func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.byName[name]
	if known == nil || known.digest != sha256.Sum256([]byte(kubeconfig)) {
		fresh, err := newCluster(kubeconfig)
		if err != nil {
			return nil, nil, err
		}
		if known != nil {
			known.retire()
		}
		known = fresh
		c.byName[name] = fresh
	}
	known.begin()
	return known, known.end, nil
}

// forget drops everything about a cluster. Operations on it that still run keep what they have.
func (c *clusters) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byName[name]; known != nil {
		delete(c.byName, name)
		known.retire()
	}
}

// dropUnused frees what is known of the APIs of clusters that nobody has used since that moment: some megabytes each.
func (c *clusters) dropUnused(since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, each := range c.byName {
		if each.idleSince(since) {
			each.discovery.store(nil)
		}
	}
}
