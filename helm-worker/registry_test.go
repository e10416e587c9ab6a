// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeRegistry holds one version of one chart, for those who know the password.
func fakeRegistry(t *testing.T, archive []byte, tls bool) *httptest.Server {
	t.Helper()
	config := []byte(`{"name":"shop","version":"1.2.3","apiVersion":"v2"}`)
	manifest, _ := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": layer("application/vnd.cncf.helm.config.v1+json", config),
		"layers": []any{layer("application/vnd.cncf.helm.chart.content.v1.tar+gzip", archive)},
	})
	contents := map[string][]byte{
		"/v2/charts/shop/manifests/1.2.3":                 manifest,
		"/v2/charts/shop/manifests/" + digestOf(manifest): manifest,
		"/v2/charts/shop/blobs/" + digestOf(config):       config,
		"/v2/charts/shop/blobs/" + digestOf(archive):      archive,
		"/v2/charts/shop/tags/list":                       []byte(`{"name":"charts/shop","tags":["1.2.3"]}`),
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "me" || password != "hunter2" {
			w.Header().Set("WWW-Authenticate", `Basic realm="it"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		content, ok := contents[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}`)
			return
		}
		if strings.Contains(r.URL.Path, "manifests") {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		}
		w.Header().Set("Docker-Content-Digest", digestOf(content))
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		if r.Method != http.MethodHead {
			w.Write(content)
		}
	})
	server := httptest.NewUnstartedServer(handler)
	if tls {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server
}

func layer(mediaType string, content []byte) map[string]any {
	return map[string]any{"mediaType": mediaType, "digest": digestOf(content), "size": len(content)}
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func loginAt(host, password string) string {
	return fmt.Sprintf(`{"auths":{"%s":{"auth":"%s"}}}`, host, base64.StdEncoding.EncodeToString([]byte("me:"+password)))
}

func TestPull(t *testing.T) {
	path, _ := simpleChart(t)
	archive, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, secure := fakeRegistry(t, archive, false), fakeRegistry(t, archive, true)
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}))
	plainHost, secureHost := plain.Listener.Addr().String(), secure.Listener.Addr().String()
	c := greeted(t)
	base := map[string]any{"reference": "oci://" + plainHost + "/charts/shop", "version": "1.2.3", "plainHttp": true,
		"registryConfig": loginAt(plainHost, "hunter2")}

	for name, row := range map[string]struct {
		params map[string]any
		status status
		want   string
	}{
		"a chart":                 {base, statusDone, ""},
		"the newest version":      {with(base, "version", ""), statusDone, ""},
		"a version that is none":  {with(base, "version", "9.9.9"), statusNotFound, ""},
		"a range that has none":   {with(base, "version", ">2.0.0"), statusNotFound, "could not locate a version"},
		"a wrong password":        {with(base, "registryConfig", loginAt(plainHost, "wrong")), statusFailed, "401"},
		"no login":                {with(base, "registryConfig", nil), statusFailed, ""},
		"logins that are none":    {with(base, "registryConfig", "hunter2"), statusFailed, "logins of registries"},
		"a repository of indexes": {with(base, "reference", "https://example.com/x"), statusFailed, "must begin with oci://"},
		"an authority of one's own": {map[string]any{"reference": "oci://" + secureHost + "/charts/shop", "version": "1.2.3",
			"caPem": authority, "registryConfig": loginAt(secureHost, "hunter2")}, statusDone, ""},
		"an authority that is none": {with(base, "caPem", "hunter2"), statusFailed, "pem block"},
	} {
		t.Run(name, func(t *testing.T) {
			into := t.TempDir()
			answer := c.result(c.send("pull", with(row.params, "into", into)))
			if answer.Status != row.status || !strings.Contains(answer.Message, row.want) {
				t.Fatalf("%s %q", answer.Status, answer.Message)
			}
			if strings.Contains(answer.Message, "hunter2") {
				t.Errorf("the message holds the password: %s", answer.Message)
			}
			files, _ := filepath.Glob(into + "/*")
			if row.status != statusDone {
				if len(files) != 0 {
					t.Errorf("left: %v", files)
				}
				return
			}
			got, err := os.ReadFile(answer.Archive)
			if err != nil || digestOf(got) != digestOf(archive) || len(files) != 1 || files[0] != answer.Archive {
				t.Errorf("archive %s among %v, %v", answer.Archive, files, err)
			}
		})
	}
}

func TestPackage(t *testing.T) {
	directory, into := t.TempDir(), t.TempDir()
	c := greeted(t)

	without := c.result(c.send("package", map[string]any{"directory": directory, "into": into}))
	if err := os.WriteFile(directory+"/Chart.yaml", []byte("{apiVersion: v2, name: shop, version: 1.2.3}"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := c.done("package", map[string]any{"directory": directory, "into": into})

	if without.Status != statusFailed {
		t.Errorf("%s %q", without.Status, without.Message)
	}
	if made.Archive != filepath.Join(into, "shop-1.2.3.tgz") {
		t.Errorf("made %s", made.Archive)
	}
}
