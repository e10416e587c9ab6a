// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func kubeconfigWith(cluster, user string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: it
clusters: [{name: it, cluster: {server: "https://127.0.0.1:1", %s}}]
users: [{name: it, user: {%s}}]
contexts: [{name: it, context: {cluster: it, user: it}}]
`, cluster, user)
}

func TestKubeconfigsThatNeedMoreThanThemselvesAreRefused(t *testing.T) {
	for name, row := range map[string]struct{ kubeconfig, want string }{
		"a program":     {kubeconfigWith("", "exec: {command: /bin/true, apiVersion: client.authentication.k8s.io/v1}"), "runs a program"},
		"a plugin":      {kubeconfigWith("", "auth-provider: {name: gcp}"), "auth-provider"},
		"a token file":  {kubeconfigWith("", "tokenFile: /etc/passwd"), "files of a user"},
		"a client file": {kubeconfigWith("", "client-certificate: /etc/passwd"), "files of a user"},
		"a key file":    {kubeconfigWith("", "client-key: /etc/passwd"), "files of a user"},
		"a CA file":     {kubeconfigWith("certificate-authority: /etc/passwd", "token: x"), "file of certificates"},
		"no YAML":       {"token: [hunter2", "cannot be read"},
		"no context":    {"apiVersion: v1\nkind: Config\n", "cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newCluster(row.kubeconfig)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "/etc/passwd") {
				t.Errorf("the error quotes the kubeconfig: %v", err)
			}
		})
	}
}

func TestAClusterIsMadeOncePerKubeconfig(t *testing.T) {
	all := newClusters()
	first := kubeconfigWith("", "token: first")
	one, _, err := all.use("east", first)
	if err != nil {
		t.Fatal(err)
	}
	same, _, _ := all.use("east", first)
	other, _, _ := all.use("west", first)
	renewed, _, _ := all.use("east", kubeconfigWith("", "token: second"))
	all.forget("east")
	again, _, _ := all.use("east", kubeconfigWith("", "token: second"))

	if same != one {
		t.Error("the same kubeconfig made a second cluster")
	}
	if other == one || renewed == one || again == renewed {
		t.Error("clusters are shared across names, kubeconfigs or a forgotten time")
	}
	if !one.retired || !renewed.retired || again.retired {
		t.Error("a cluster that nobody can get any more must be retired, and only that one")
	}
}

func TestWhatIsKnownOfAnUnusedClusterIsDropped(t *testing.T) {
	all := newClusters()
	used, release, err := all.use("east", kubeconfigWith("", "token: x"))
	if err != nil {
		t.Fatal(err)
	}
	used.discovery.store(&apiSnapshot{})
	later := time.Now().Add(time.Hour)

	all.dropUnused(later)
	if used.discovery.load() == nil {
		t.Error("dropped while an operation runs")
	}
	release()
	all.dropUnused(time.Now().Add(-time.Hour))
	if used.discovery.load() == nil {
		t.Error("dropped too early")
	}
	all.dropUnused(later)
	if used.discovery.load() != nil {
		t.Error("kept")
	}
}

// tunnel is a proxy that counts whoever comes through it.
func tunnel(t *testing.T, passed *atomic.Int32) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		passed.Add(1)
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func TestAClusterIsReachedAsItsKubeconfigSays(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s|%s|%s|%s", r.TLS.ServerName, r.Header.Get("Authorization"),
			r.Header.Get("Impersonate-User"), r.Header.Get("Impersonate-Group"))
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := base64.StdEncoding.EncodeToString(
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	trusted := "certificate-authority-data: " + authority
	var passed atomic.Int32
	proxy := tunnel(t, &passed)
	// Those of the environment are for charts.
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	for name, row := range map[string]struct {
		cluster, user, want string
		proxied             bool
	}{
		"a token":              {trusted, "token: x", "|Bearer x||", false},
		"a password":           {trusted, "username: u, password: p", "|Basic dTpw||", false},
		"somebody else":        {trusted, "token: x, as: bob, as-groups: [ops]", "|Bearer x|bob|ops", false},
		"the name of a server": {trusted + ", tls-server-name: example.com", "token: x", "example.com|Bearer x||", false},
		"the wrong name":       {trusted + ", tls-server-name: other.test", "token: x", "certificate is valid for", false},
		"an unknown authority": {"", "token: x", "certificate signed by unknown authority", false},
		"no check at all":      {"insecure-skip-tls-verify: true", "token: x", "|Bearer x||", false},
		"a proxy":              {trusted + ", proxy-url: " + proxy, "token: x", "|Bearer x||", true},
	} {
		t.Run(name, func(t *testing.T) {
			before := passed.Load()
			made, err := newCluster(strings.Replace(kubeconfigWith(row.cluster, row.user), "https://127.0.0.1:1", server.URL, 1))
			if err != nil {
				t.Fatal(err)
			}
			defer made.connections.CloseIdleConnections()
			got := ""
			answer, err := (&http.Client{Transport: made.authenticated}).Get(made.server)
			if err != nil {
				got = err.Error()
			} else {
				text, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				got = string(text)
			}
			if !strings.Contains(got, row.want) {
				t.Errorf("%q, not %q", got, row.want)
			}
			if (passed.Load() > before) != row.proxied {
				t.Errorf("%d connections through the proxy", passed.Load()-before)
			}
		})
	}
}
