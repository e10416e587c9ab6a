// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
)

// These tests compare this program with the Helm command line on a real API server. They run where these are set:
const (
	compareKubeconfig = "KRYPTON_E2E_KUBECONFIG" // a file, whose user may do everything
	compareHelm       = "KRYPTON_E2E_HELM"       // the program, of the same version
)

const compareNamespace = "compare"

// step is one operation by both, which must do the same or fail with the same words.
type step struct {
	method  string
	values  string
	changes map[string]any
}

type engine func(t *testing.T, params map[string]any, each step) (status, string)

func TestBothDoTheSame(t *testing.T) {
	kubeconfig, helm := os.Getenv(compareKubeconfig), os.Getenv(compareHelm)
	if kubeconfig == "" || helm == "" {
		t.Skipf("%s and %s are not set", compareKubeconfig, compareHelm)
	}
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	server := newComparison(t, string(text))
	whole := []step{
		{method: "install", values: `{"n": 3, "big": 12345678901, "f": 1.50, "text": "a: b"}`},
		{method: "install", values: `{}`},
		{method: "upgrade", values: `{"n": 4, "nothing": null}`},
		{method: "upgrade", values: `{"n": 4}`, changes: map[string]any{"validate": false}},
		{method: "upgrade", values: `{"bad": true}`},
		{method: "rollback", changes: map[string]any{"revision": 1}},
		{method: "rollback", changes: map[string]any{"revision": 99}},
		{method: "uninstall"},
		{method: "uninstall"},
		{method: "upgrade", values: `{}`},
		{method: "upgrade", values: `{"n": 1}`, changes: map[string]any{"installIfMissing": true}},
		{method: "upgrade", values: `{"n": 2}`, changes: map[string]any{"installIfMissing": true}},
		{method: "uninstall"},
	}
	for name, files := range comparedCharts() {
		t.Run(name, func(t *testing.T) {
			path, digest := packed(t, name, files)
			params := map[string]any{"cluster": "it", "kubeconfig": string(text), "namespace": compareNamespace,
				"release": "it", "timeoutMillis": 4000, "chart": path, "chartDigest": digest, "historyMax": 3,
				"validate": true, "labels": map[string]string{"krypton.io/one": "1", "two": "2"}}
			c := greeted(t)
			byCLI := server.life(t, whole, params, commandLine(helm, kubeconfig))
			byWorker := server.life(t, whole, params, func(t *testing.T, params map[string]any, each step) (status, string) {
				answer := c.result(c.send(each.method, params))
				return answer.Status, answer.Message
			})
			for i, each := range whole {
				if one, other := differing(byCLI[i], byWorker[i]); one != other {
					t.Errorf("step %d, %s %s: by the command line\n%s\nby this program\n%s",
						i, each.method, each.values, one, other)
				}
			}
		})
	}
}

// differing returns the first lines that are not the same.
func differing(one, other string) (string, string) {
	a, b := strings.Split(one, "\n"), strings.Split(other, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i], b[i]
		}
	}
	return fmt.Sprintf("%d lines", len(a)), fmt.Sprintf("%d lines", len(b))
}

func commandLine(helm, kubeconfig string) engine {
	return func(t *testing.T, params map[string]any, each step) (status, string) {
		home := t.TempDir()
		values := filepath.Join(home, "values.json")
		text, _ := params["values"].(json.RawMessage)
		if err := os.WriteFile(values, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var labels []string
		for key, value := range params["labels"].(map[string]string) {
			labels = append(labels, key+"="+value)
		}
		arguments := []string{each.method, "it"}
		release := []string{params["chart"].(string), "--values", values, "--labels", strings.Join(labels, ","), "--wait=hookOnly"}
		if params["validate"] == false {
			release = append(release, "--disable-openapi-validation")
		}
		force := []string{"--history-max", fmt.Sprint(params["historyMax"]), "--server-side=true", "--force-conflicts"}
		switch each.method {
		case "install":
			arguments = append(arguments, release...)
		case "upgrade":
			arguments = append(append(append(arguments, release...), "--reset-values"), force...)
			if params["installIfMissing"] == true {
				arguments = append(arguments, "--install")
			}
		case "rollback":
			arguments = append(append(arguments, fmt.Sprint(params["revision"])), force...)
		case "uninstall":
			arguments = append(arguments, "--ignore-not-found", "--wait")
		}
		arguments = append(arguments, "--namespace", compareNamespace, "--kubeconfig", kubeconfig,
			"--timeout", fmt.Sprintf("%dms", params["timeoutMillis"]))
		command := exec.Command(helm, arguments...)
		command.Env = []string{"HOME=" + home, "KUBECACHEDIR=" + home + "/cache", "PATH=/nowhere"}
		var errors bytes.Buffer
		command.Stderr = &errors
		if command.Run() == nil {
			return statusDone, ""
		}
		_, said, _ := strings.Cut("\n"+errors.String(), "\nError: ")
		return statusFailed, strings.TrimSpace(said)
	}
}

// comparison looks at a real cluster.
type comparison struct {
	access  *clusterAccess
	clients *kubernetes.Clientset
}

func newComparison(t *testing.T, kubeconfig string) *comparison {
	t.Helper()
	known, err := newCluster(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	access, err := newClusterAccess(known, &operation{ctx: t.Context(), requests: newRequestTracker(steady())})
	if err != nil {
		t.Fatal(err)
	}
	clients, err := kubernetes.NewForConfig(access.config)
	if err != nil {
		t.Fatal(err)
	}
	path := "/api/v1/namespaces/" + compareNamespace
	clients.RESTClient().Patch("application/apply-patch+yaml").AbsPath(path).Param("fieldManager", "test").
		Body([]byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + compareNamespace + `"}}`)).Do(t.Context())
	return &comparison{access, clients}
}

// life runs all steps and describes after each what there is.
func (c *comparison) life(t *testing.T, steps []step, params map[string]any, by engine) []string {
	t.Helper()
	c.clean(t)
	var seen []string
	for _, each := range steps {
		given := params
		for key, value := range each.changes {
			given = with(given, key, value)
		}
		if each.values != "" {
			given = with(given, "values", json.RawMessage(each.values))
		}
		result, message := by(t, given, each)
		seen = append(seen, fmt.Sprintf("%s %s\n%s", result, message, c.describe(t)))
	}
	return seen
}

func (c *comparison) clean(t *testing.T) {
	t.Helper()
	for _, path := range []string{
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/api/v1/namespaces/compare/secrets",
		"/api/v1/namespaces/compare/configmaps", "/apis/batch/v1/namespaces/compare/jobs",
	} {
		c.clients.RESTClient().Delete().AbsPath(path).Do(t.Context())
	}
}

var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)|"\d{10}"`)

// describe holds every release Secret, unpacked, and every object that a release names, but no times and no identities.
func (c *comparison) describe(t *testing.T) string {
	t.Helper()
	list, err := c.clients.CoreV1().Secrets(compareNamespace).List(t.Context(), metav1.ListOptions{LabelSelector: "owner=helm"})
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, secret := range list.Items {
		stored := unpacked(t, secret.Data["release"])
		secret.Data = nil
		parts = append(parts, withoutIdentity(t, &secret.ObjectMeta), string(secret.Type), stored)
		var release struct{ Manifest string }
		if err := json.Unmarshal([]byte(stored), &release); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, c.objects(t, release.Manifest)...)
	}
	return moments.ReplaceAllString(strings.Join(parts, "\n"), "TIME")
}

func (c *comparison) objects(t *testing.T, manifest string) []string {
	t.Helper()
	configuration, _, err := newConfiguration(c.access, compareNamespace)
	if err != nil {
		t.Fatal(err)
	}
	infos, err := configuration.KubeClient.Build(strings.NewReader(manifest), false)
	if err != nil {
		return []string{err.Error()}
	}
	var parts []string
	for _, info := range infos {
		if err := info.Get(); err != nil {
			parts = append(parts, err.Error())
			continue
		}
		object := info.Object.(*unstructured.Unstructured)
		meta := &metav1.ObjectMeta{}
		text, _ := json.Marshal(object.Object["metadata"])
		if err := json.Unmarshal(text, meta); err != nil {
			t.Fatal(err)
		}
		delete(object.Object, "metadata")
		delete(object.Object, "status")
		if spec, ok := object.Object["spec"].(map[string]any); ok {
			delete(spec, "clusterIP")
			delete(spec, "clusterIPs")
		}
		text, _ = json.Marshal(object.Object)
		parts = append(parts, withoutIdentity(t, meta), string(text))
	}
	return parts
}

func withoutIdentity(t *testing.T, meta *metav1.ObjectMeta) string {
	t.Helper()
	meta.UID, meta.ResourceVersion, meta.CreationTimestamp = "", "", metav1.Time{}
	slices.SortFunc(meta.ManagedFields, func(a, b metav1.ManagedFieldsEntry) int {
		return strings.Compare(a.Manager+string(a.Operation), b.Manager+string(b.Operation))
	})
	for i := range meta.ManagedFields {
		meta.ManagedFields[i].Time = nil
	}
	text, err := json.Marshal(meta)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func unpacked(t *testing.T, stored []byte) string {
	t.Helper()
	zipped, err := base64.StdEncoding.DecodeString(string(stored))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// comparedCharts are small ones with everything that charts of the public have.
func comparedCharts() map[string]map[string]string {
	object := func(kind, rest string) string {
		return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: {{ .Release.Name }}\n" + rest
	}
	widget := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
    x-kubernetes-preserve-unknown-fields: true}}}]
`
	many := map[string]string{
		"Chart.yaml":          "{apiVersion: v2, name: many, version: 1.0.0}",
		"templates/many.yaml": "{{ range until 60 }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: many-{{ . }}\n{{ end }}",
	}
	var noise strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&noise, "%x\n", i*i*2654435761)
	}
	return map[string]map[string]string{
		"plain": {
			"Chart.yaml":  "{apiVersion: v2, name: plain, version: 1.0.0, appVersion: '2', deprecated: true}",
			"values.yaml": "n: 1\nnothing: something\n",
			"templates/all.yaml": object("ConfigMap", "data: {n: {{ .Values.n | quote }}, big: {{ .Values.big | quote }}}\n") +
				"---\n" + object("Service", "spec: {ports: [{port: 80}]}\n") +
				"---\n" + object("ServiceAccount", "") +
				"---\n" + strings.Replace(object("Deployment", `spec:
  replicas: {{ .Values.n }}
  selector: {matchLabels: {app: it}}
  template: {metadata: {labels: {app: it}}, spec: {containers: [{name: it, image: it}]}}
`), "v1", "apps/v1", 1),
			"templates/bad.yaml":  "{{ if .Values.bad }}{{ fail \"it is bad\" }}{{ end }}",
			"templates/NOTES.txt": "have fun with {{ .Capabilities.KubeVersion }} {{ .Capabilities.HelmVersion.Version }}",
		},
		"rejected": {
			"Chart.yaml": "{apiVersion: v2, name: rejected, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap",
				"data: {n: {{ .Values.n | quote }}}\n{{ if .Values.bad }}unknown: field\n{{ end }}"),
		},
		"broken": {
			"Chart.yaml":       "{apiVersion: v2, name: broken, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap", "{{ if .Values.bad }}data: [not: a: map\n{{ end }}"),
		},
		"kinds": {
			"Chart.yaml":        "{apiVersion: v2, name: kinds, version: 1.0.0}",
			"crds/widget.yaml":  widget,
			"templates/it.yaml": strings.Replace(object("Widget", "spec: {n: {{ .Values.n }}}\n"), "v1", "example.com/v1", 1),
			"templates/known.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: known}\n" +
				"data: {known: {{ .Capabilities.APIVersions.Has \"example.com/v1/Widget\" | quote }}}\n",
		},
		"unknown": {
			"Chart.yaml":       "{apiVersion: v2, name: unknown, version: 1.0.0}",
			"templates/a.yaml": "apiVersion: no.such/v1\nkind: Thing\nmetadata: {name: a}\n",
		},
		"hooked": {
			"Chart.yaml":       "{apiVersion: v2, name: hooked, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap", ""),
			"templates/before.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: before\n" +
				"  annotations: {helm.sh/hook: 'pre-install,pre-upgrade,pre-rollback,pre-delete', helm.sh/hook-weight: '1'}\n",
			"templates/after.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: after\n" +
				"  annotations: {helm.sh/hook: 'post-install,post-upgrade', helm.sh/hook-delete-policy: hook-succeeded}\n",
		},
		"waiting": {
			"Chart.yaml":       "{apiVersion: v2, name: waiting, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap", ""),
			"templates/job.yaml": "{{ if .Values.bad }}\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: job\n" +
				"  annotations: {helm.sh/hook: 'pre-upgrade'}\n" +
				"spec: {template: {spec: {restartPolicy: Never, containers: [{name: it, image: it}]}}}\n{{ end }}",
		},
		"looking": {
			"Chart.yaml": "{apiVersion: v2, name: looking, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap",
				"data: {found: {{ (lookup \"v1\" \"Namespace\" \"\" \"compare\").metadata.name | quote }},"+
					" revision: {{ .Release.Revision | quote }}}\n"),
		},
		"strict": {
			"Chart.yaml":         "{apiVersion: v2, name: strict, version: 1.0.0}",
			"values.schema.json": `{"type": "object", "properties": {"bad": {"type": "string"}}}`,
			"templates/a.yaml":   object("ConfigMap", ""),
		},
		"family": {
			"Chart.yaml": `{apiVersion: v2, name: family, version: 1.0.0, kubeVersion: '>=1.20.0-0', dependencies: [
  {name: child, version: 1.0.0, repository: '', condition: bad, alias: kid},
  {name: shelf, version: 1.0.0, repository: '', import-values: [{child: data, parent: fromShelf}]}]}`,
			"values.yaml":                    "{bad: false, global: {g: 1}}",
			"templates/a.yaml":               object("ConfigMap", "data: {{ include \"shelf.data\" . }}\n"),
			"charts/child/Chart.yaml":        "{apiVersion: v2, name: child, version: 1.0.0}",
			"charts/child/values.yaml":       "{own: 1}",
			"charts/child/templates/it.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Chart.Name }}}\n",
			"charts/shelf/Chart.yaml":        "{apiVersion: v2, name: shelf, version: 1.0.0, type: library}",
			"charts/shelf/values.yaml":       "{data: {a: b}}",
			"charts/shelf/templates/_d.tpl":  "{{ define \"shelf.data\" }}{n: {{ .Values.n | quote }}, s: {{ .Values.fromShelf.a }}}{{ end }}",
		},
		"shelf": {"Chart.yaml": "{apiVersion: v2, name: shelf, version: 1.0.0, type: library}"},
		"many":  many,
		"heavy": {
			"Chart.yaml":       "{apiVersion: v2, name: heavy, version: 1.0.0}",
			"templates/a.yaml": object("ConfigMap", ""),
			"noise.txt":        noise.String(),
		},
	}
}
