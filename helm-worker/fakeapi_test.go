// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// fakeAPI is as much of an API server as Helm needs for releases of config maps and of widgets, a kind that can be
// brought and taken away. The real one is exercised by the operator's own tests.
type fakeAPI struct {
	*httptest.Server
	// hold is asked before a request is served and may wait; set it before the first request.
	hold func(*http.Request)

	mu       sync.Mutex
	objects  map[string]map[string]any
	requests []string
	widgets  bool
	revision int
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	api := &fakeAPI{objects: map[string]map[string]any{}}
	api.Server = httptest.NewUnstartedServer(http.HandlerFunc(api.serve))
	api.EnableHTTP2 = true
	api.StartTLS()
	t.Cleanup(func() {
		api.CloseClientConnections()
		api.Close()
	})
	return api
}

// kubeconfig holds everything inline; the token tells several of them apart.
func (a *fakeAPI) kubeconfig(token string) string {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw})
	text, _ := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "it",
		"clusters": []any{map[string]any{"name": "it",
			"cluster": map[string]any{"server": a.URL, "certificate-authority-data": authority}}},
		"users":    []any{map[string]any{"name": "it", "user": map[string]any{"token": token}}},
		"contexts": []any{map[string]any{"name": "it", "context": map[string]any{"cluster": "it", "user": "it"}}},
	})
	return string(text)
}

// seen counts the requests that begin so.
func (a *fakeAPI) seen(prefix string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	count := 0
	for _, each := range a.requests {
		if strings.HasPrefix(each, prefix) {
			count++
		}
	}
	return count
}

// count is how often something was asked, whatever the parameters.
func (a *fakeAPI) count(exactly string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	count := 0
	for _, each := range a.requests {
		if asked, _, _ := strings.Cut(each, "?"); asked == exactly {
			count++
		}
	}
	return count
}

func (a *fakeAPI) names(kind string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var names []string
	for path := range a.objects {
		if _, name, found := strings.Cut(path, "/"+kind+"/"); found {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (a *fakeAPI) bringWidgets() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.widgets = true
}

func (a *fakeAPI) serve(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.requests = append(a.requests, r.Method+" "+r.URL.RequestURI())
	hold := a.hold
	a.mu.Unlock()
	if hold != nil {
		hold(r)
	}
	if isWatch(r) {
		a.watch(w, r)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch path := r.URL.Path; {
	case path == "/version":
		reply(w, http.StatusOK, map[string]any{"major": "1", "minor": "36", "gitVersion": "v1.36.3"})
	case path == "/api/v1":
		reply(w, http.StatusOK, map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1",
			"resources": []any{map[string]any{"name": "configmaps", "kind": "ConfigMap", "namespaced": true}}})
	case path == "/api":
		a.discovery(w, r, "core", group("", "v1", "configmaps", "ConfigMap", "secrets", "Secret"))
	case path == "/apis":
		groups := []any{group("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition")}
		tag := "apis"
		if a.widgets {
			groups = append(groups, group("example.com", "v1", "widgets", "Widget"))
			tag = "apis with widgets"
		}
		a.discovery(w, r, tag, groups...)
	case path == "/openapi/v3":
		reply(w, http.StatusOK, map[string]any{"paths": map[string]any{
			"api/v1":              map[string]any{"serverRelativeURL": "/openapi/v3/api/v1"},
			"apis/example.com/v1": map[string]any{"serverRelativeURL": "/openapi/v3/apis/example.com/v1"}}})
	case path == "/openapi/v3/api/v1":
		reply(w, http.StatusOK, schemaOf("", "ConfigMap"))
	case path == "/openapi/v3/apis/example.com/v1":
		reply(w, http.StatusOK, schemaOf("example.com", "Widget"))
	default:
		a.object(w, r)
	}
}

func group(name, version string, pairs ...string) map[string]any {
	var resources []any
	for i := 0; i < len(pairs); i += 2 {
		resources = append(resources, map[string]any{
			"resource": pairs[i], "scope": "Namespaced", "verbs": []string{"get", "list", "watch"},
			"responseKind": map[string]any{"group": name, "version": version, "kind": pairs[i+1]}})
	}
	return map[string]any{
		"metadata": map[string]any{"name": name},
		"versions": []any{map[string]any{"version": version, "freshness": "Current", "resources": resources}}}
}

func schemaOf(group, kind string) map[string]any {
	return map[string]any{"openapi": "3.0.0", "info": map[string]any{"title": "it", "version": "1"},
		"paths": map[string]any{"/" + kind: map[string]any{"patch": map[string]any{
			"x-kubernetes-group-version-kind": map[string]any{"group": group, "version": "v1", "kind": kind},
			"parameters":                      []any{map[string]any{"name": "fieldValidation", "in": "query"}}}}}}
}

func (a *fakeAPI) discovery(w http.ResponseWriter, r *http.Request, tag string, groups ...any) {
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	if r.Header.Get("If-None-Match") == `"`+tag+`"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{
		"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": groups})
}

// object serves what lies below a namespace.
func (a *fakeAPI) object(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	var body map[string]any
	if r.Body != nil && r.Method != http.MethodGet && r.Method != http.MethodDelete {
		var err error
		if body, err = objectIn(r); err != nil {
			fail(w, http.StatusBadRequest, "BadRequest", err.Error())
			return
		}
	}
	switch r.Method {
	case http.MethodGet:
		if kind := listKinds[path[strings.LastIndex(path, "/")+1:]]; kind != "" {
			a.list(w, r, kind)
		} else if found := a.objects[path]; found != nil {
			reply(w, http.StatusOK, found)
		} else {
			fail(w, http.StatusNotFound, "NotFound", path+" not found")
		}
	case http.MethodPost:
		path += "/" + body["metadata"].(map[string]any)["name"].(string)
		if a.objects[path] != nil {
			fail(w, http.StatusConflict, "AlreadyExists", path+" already exists")
			return
		}
		reply(w, http.StatusCreated, a.keep(path, body))
	case http.MethodPut, http.MethodPatch:
		reply(w, http.StatusOK, a.keep(path, body))
	case http.MethodDelete:
		delete(a.objects, path)
		reply(w, http.StatusOK, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"})
	}
}

// watch sends what is there and then nothing any more.
func (a *fakeAPI) watch(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	event := func(kind string, object map[string]any) {
		json.NewEncoder(w).Encode(map[string]any{"type": kind, "object": object})
	}
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		a.mu.Lock()
		for path, each := range a.objects {
			if strings.HasPrefix(path, r.URL.Path+"/") {
				event("ADDED", each)
			}
		}
		event("BOOKMARK", map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": map[string]any{
			"resourceVersion": fmt.Sprint(a.revision), "annotations": map[string]any{"k8s.io/initial-events-end": "true"}}})
		a.mu.Unlock()
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// objectIn reads what clients of Go send: protobuf for kinds they know, else JSON or YAML.
func objectIn(r *http.Request) (map[string]any, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if r.Header.Get("Content-Type") == runtime.ContentTypeProtobuf {
		known, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
		if err != nil {
			return nil, err
		}
		return runtime.DefaultUnstructuredConverter.ToUnstructured(known)
	}
	var body map[string]any
	return body, yaml.Unmarshal(text, &body)
}

var listKinds = map[string]string{"secrets": "SecretList", "configmaps": "ConfigMapList", "widgets": "WidgetList"}

func (a *fakeAPI) keep(path string, body map[string]any) map[string]any {
	a.revision++
	body["metadata"].(map[string]any)["resourceVersion"] = fmt.Sprint(a.revision)
	a.objects[path] = body
	return body
}

func (a *fakeAPI) list(w http.ResponseWriter, r *http.Request, kind string) {
	items := []any{}
	for path, each := range a.objects {
		if strings.HasPrefix(path, r.URL.Path+"/") && matches(each, r.URL.Query().Get("labelSelector")) {
			items = append(items, each)
		}
	}
	reply(w, http.StatusOK, map[string]any{"kind": kind, "apiVersion": "v1", "items": items,
		"metadata": map[string]any{"resourceVersion": fmt.Sprint(a.revision)}})
}

func matches(object map[string]any, selector string) bool {
	labels, _ := object["metadata"].(map[string]any)["labels"].(map[string]any)
	for _, each := range strings.Split(selector, ",") {
		key, value, _ := strings.Cut(each, "=")
		if each != "" && labels[key] != value {
			return false
		}
	}
	return true
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, code int, reason, message string) {
	reply(w, code, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure",
		"reason": reason, "message": message, "code": code})
}
