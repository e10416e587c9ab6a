// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
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
