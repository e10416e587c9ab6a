// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"helm.sh/helm/v4/pkg/kube"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	logTo(io.Discard)
	kube.ManagedFieldsManager = "helm"
	os.Exit(m.Run())
}

// client speaks with a server as the operator does.
type client struct {
	t      *testing.T
	in     *io.PipeWriter
	server *server
	ended  chan int
	last   int64

	mu      sync.Mutex
	answers map[int64]chan response
}

func newClient(t *testing.T) *client {
	t.Helper()
	asked, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, server: newServer(&frameWriter{out: answers}), ended: make(chan int, 1),
		answers: map[int64]chan response{}}
	c.server.heartbeat = steady()
	go func() { c.ended <- c.server.read(bufio.NewReader(asked)) }()
	go c.read(out)
	t.Cleanup(func() {
		in.Close()
		c.server.close(patience)
		answers.Close()
	})
	return c
}

func (c *client) read(out io.Reader) {
	for {
		var header [4]byte
		if _, err := io.ReadFull(out, header[:]); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(header[:]))
		if _, err := io.ReadFull(out, body); err != nil {
			return
		}
		var answer response
		json.Unmarshal(body, &answer)
		c.answer(answer.ID) <- answer
	}
}

func (c *client) answer(id int64) chan response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers[id] == nil {
		c.answers[id] = make(chan response, 1)
	}
	return c.answers[id]
}

func greeted(t *testing.T) *client {
	c := newClient(t)
	c.result(c.send("hello", map[string]any{"protocol": 1, "memoryMiB": 0}))
	return c
}

func (c *client) send(method string, params any) int64 {
	c.t.Helper()
	c.last++
	text, err := json.Marshal(map[string]any{"id": c.last, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(frame(string(text))); err != nil {
		c.t.Fatal(err)
	}
	return c.last
}

// result waits for the answer to a request; others may come before it.
func (c *client) result(id int64) response {
	c.t.Helper()
	return await(c.t, "the answer", c.answer(id))
}

func (c *client) done(method string, params any) response {
	c.t.Helper()
	answer := c.result(c.send(method, params))
	if answer.Status != statusDone {
		c.t.Fatalf("%s: %s: %s", method, answer.Status, answer.Message)
	}
	return answer
}

func (c *client) cancelled(id int64) response {
	c.t.Helper()
	c.send("cancel", map[string]any{"id": id})
	return c.result(id)
}

func simpleChart(t *testing.T) (string, string) {
	return packed(t, "simple", map[string]string{
		"Chart.yaml":          "{apiVersion: v2, name: simple, version: 1.0.0}",
		"values.yaml":         "{text: default}",
		"templates/one.yaml":  manifestOf("one") + "data: {text: {{ .Values.text | quote }}}\n",
		"templates/two.yaml":  manifestOf("two"),
		"templates/NOTES.txt": "none",
	})
}

func paramsFor(api *fakeAPI, path, digest string) map[string]any {
	return map[string]any{
		"cluster": "east", "kubeconfig": api.kubeconfig("x"), "namespace": "default", "release": "it",
		"timeoutMillis": 30_000, "chart": path, "chartDigest": digest, "values": map[string]any{"text": "given"},
		"labels": map[string]string{"owner-of": "it"}, "historyMax": 5,
	}
}

func with(params map[string]any, key string, value any) map[string]any {
	changed := map[string]any{key: value}
	for k, v := range params {
		if k != key {
			changed[k] = v
		}
	}
	return changed
}

func TestTheFirstRequestIsHello(t *testing.T) {
	c := newClient(t)

	early := c.result(c.send("render", map[string]any{}))
	wrong := c.result(c.send("hello", map[string]any{"protocol": 2}))
	right := c.result(c.send("hello", map[string]any{"protocol": 1, "memoryMiB": 512}))
	unknown := c.result(c.send("explode", map[string]any{}))
	malformed := c.result(c.send("install", []string{"hunter2"}))

	if early.Status != statusFailed || wrong.Status != statusFailed || unknown.Status != statusFailed {
		t.Errorf("%+v, %+v, %+v", early, wrong, unknown)
	}
	if right.Status != statusDone || right.Protocol != 1 || right.Helm == "" || right.Version == "" {
		t.Errorf("%+v", right)
	}
	if malformed.Status != statusFailed || strings.Contains(malformed.Message, "hunter2") {
		t.Errorf("%+v", malformed)
	}
	if runtime.GOOS == "linux" && right.ResidentBytes == 0 {
		t.Error("no memory is told")
	}
}

func TestTheLifeOfARelease(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)

	installed := c.done("install", params)
	if r := installed.Release; r == nil || r.Revision != 1 || r.Status != "deployed" || !strings.Contains(r.Manifest, "given") {
		t.Errorf("installed %+v", r)
	}
	second := c.result(c.send("install", params))
	if second.Status != statusFailed ||
		second.Message != "INSTALLATION FAILED: release name check failed: cannot reuse a name that is still in use" {
		t.Errorf("a second install: %s %q", second.Status, second.Message)
	}
	upgraded := c.done("upgrade", with(params, "values", map[string]any{"text": "newer"}))
	if r := upgraded.Release; r == nil || r.Revision != 2 || !strings.Contains(r.Manifest, "newer") {
		t.Errorf("upgraded %+v", r)
	}
	back := c.done("rollback", with(params, "revision", 1))
	if r := back.Release; r == nil || r.Revision != 3 || r.Status != "deployed" || !strings.Contains(r.Manifest, "given") {
		t.Errorf("rolled back %+v", r)
	}
	if got := api.names("configmaps"); strings.Join(got, " ") != "it-one it-two" {
		t.Errorf("objects: %v", got)
	}
	gone := c.done("uninstall", params)
	c.done("uninstall", params)
	if gone.Release != nil || len(api.names("configmaps")) != 0 || len(api.names("secrets")) != 0 {
		t.Errorf("left: %v %v", api.names("configmaps"), api.names("secrets"))
	}
}

func TestAnUpgradeInstallsWhatIsMissingIfAsked(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)

	refused := c.result(c.send("upgrade", params))
	made := c.done("upgrade", with(params, "installIfMissing", true))

	if refused.Status != statusFailed || refused.Message != `UPGRADE FAILED: "it" has no deployed releases` {
		t.Errorf("%s %q", refused.Status, refused.Message)
	}
	if made.Release == nil || made.Release.Revision != 1 {
		t.Errorf("made %+v", made.Release)
	}
}

func TestAClusterThatIsAwayIsUnreachable(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	params := paramsFor(api, path, digest)
	api.CloseClientConnections()
	api.Listener.Close()
	c := greeted(t)

	for method, start := range map[string]string{
		"install":   "INSTALLATION FAILED: cluster reachability check failed: kubernetes cluster unreachable: ",
		"upgrade":   "UPGRADE FAILED: kubernetes cluster unreachable: ",
		"rollback":  "kubernetes cluster unreachable: ",
		"uninstall": "kubernetes cluster unreachable: ",
	} {
		if got := c.result(c.send(method, params)); got.Status != statusUnreachable || !strings.HasPrefix(got.Message, start) {
			t.Errorf("%s: %s %q", method, got.Status, got.Message)
		}
	}
}

func TestACancelledInstallSendsNothingMore(t *testing.T) {
	api := newFakeAPI(t)
	arrived, letGo := make(chan struct{}), make(chan struct{})
	var held atomic.Bool
	api.hold = func(r *http.Request) {
		if r.Method == http.MethodPatch && held.CompareAndSwap(false, true) {
			close(arrived)
			<-letGo
		}
	}
	path, digest := simpleChart(t)
	c := greeted(t)
	id := c.send("install", paramsFor(api, path, digest))
	await(t, "the first object", arrived)
	c.send("cancel", map[string]any{"id": id})
	time.AfterFunc(50*time.Millisecond, func() { close(letGo) })

	answer := c.result(id)
	sent := api.seen("")

	if answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	time.Sleep(100 * time.Millisecond)
	if now := api.seen(""); now != sent {
		t.Errorf("%d requests after the answer", now-sent)
	}
	if got := api.names("secrets"); len(got) != 1 {
		t.Errorf("releases: %v", got)
	}
}

func TestAKubeconfigThatChangesInTheMiddleOfAnOperationIsForTheNextOne(t *testing.T) {
	before, after := newFakeAPI(t), newFakeAPI(t)
	arrived, letGo := make(chan struct{}), make(chan struct{})
	var held atomic.Bool
	before.hold = func(r *http.Request) {
		if r.Method == http.MethodPatch && held.CompareAndSwap(false, true) {
			close(arrived)
			<-letGo
		}
	}
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(before, path, digest)
	first := c.send("install", params)
	await(t, "the first object", arrived)

	c.done("install", with(with(params, "release", "next"), "kubeconfig", after.kubeconfig("y")))
	c.send("forget", map[string]any{"cluster": "east"})
	close(letGo)

	if answer := c.result(first); answer.Status != statusDone {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	if got := before.names("configmaps"); strings.Join(got, " ") != "it-one it-two" {
		t.Errorf("of the first: %v", got)
	}
	if got := after.names("configmaps"); strings.Join(got, " ") != "next-one next-two" {
		t.Errorf("of the next: %v", got)
	}
}

func TestAClusterThatHangsHoldsUpNoOther(t *testing.T) {
	slow, quick := newFakeAPI(t), newFakeAPI(t)
	arrived := make(chan struct{}, 99)
	slow.hold = func(r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}
	path, digest := simpleChart(t)
	c := greeted(t)
	c.server.requestGrace = 10 * time.Millisecond
	var hanging []int64
	for i := range 9 {
		hanging = append(hanging, c.send("install", with(paramsFor(slow, path, digest), "release", fmt.Sprint("slow-", i))))
	}
	await(t, "a request", arrived)

	c.done("install", with(paramsFor(quick, path, digest), "cluster", "west"))

	for _, id := range hanging {
		if answer := c.cancelled(id); answer.Status != statusCancelled {
			t.Errorf("%s %q", answer.Status, answer.Message)
		}
	}
}

func TestAHangingServerDoesNotHoldUpACancellation(t *testing.T) {
	api := newFakeAPI(t)
	arrived := make(chan struct{}, 9)
	api.hold = func(r *http.Request) {
		if r.Method == http.MethodPost {
			arrived <- struct{}{}
			<-r.Context().Done()
		}
	}
	path, digest := simpleChart(t)
	c := greeted(t)
	c.server.requestGrace = 10 * time.Millisecond
	id := c.send("install", paramsFor(api, path, digest))
	await(t, "the release", arrived)

	if answer := c.cancelled(id); answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
}

func TestWaitingForAHookOrADeletionEndsWithTheCancellation(t *testing.T) {
	api := newFakeAPI(t)
	watched := make(chan struct{}, 99)
	api.hold = func(r *http.Request) {
		if isWatch(r) {
			watched <- struct{}{}
			<-r.Context().Done()
		}
	}
	path, digest := packed(t, "hooked", map[string]string{
		"Chart.yaml": "{apiVersion: v2, name: hooked, version: 1.0.0}",
		"templates/hook.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hook\n" +
			"  annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: never}\n",
	})
	c := greeted(t)
	c.server.requestGrace = time.Hour
	id := c.send("install", paramsFor(api, path, digest))
	await(t, "the watch", watched)

	if answer := c.cancelled(id); answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
}

func TestWhatACancelledOperationSaysOfItselfIsNotPassedOn(t *testing.T) {
	c := greeted(t)
	for _, own := range []response{{Status: statusFailed, Message: "context canceled"}, {Status: statusUnreachable}} {
		c.server.work = func(started *operation, _ *request) response {
			<-started.ctx.Done()
			return own
		}
		for range 50 {
			if answer := c.cancelled(c.send("render", map[string]any{})); answer.Status != statusCancelled {
				t.Fatalf("%s %q", answer.Status, answer.Message)
			}
		}
	}
}

func TestACancellationThatComesTooLateChangesNothing(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)

	id := c.send("install", paramsFor(api, path, digest))
	answer := c.result(id)
	c.send("cancel", map[string]any{"id": id})
	c.send("cancel", map[string]any{"id": 4711})

	if answer.Status != statusDone {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	c.done("uninstall", paramsFor(api, path, digest))
}

func TestCodeThatDoesNotEndIsLeftBehind(t *testing.T) {
	c := greeted(t)
	c.server.codeGrace = time.Millisecond
	letGo := make(chan struct{})
	c.server.work = func(*operation, *request) response {
		<-letGo
		return response{Status: statusDone}
	}
	id := c.send("render", map[string]any{})

	answer := c.cancelled(id)

	if answer.Status != statusCancelled || answer.Lingering != 1 {
		t.Errorf("%s, %d lingering", answer.Status, answer.Lingering)
	}
	close(letGo)
	deadline := time.Now().Add(patience)
	for c.server.lingering.Load() != 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if left := c.server.lingering.Load(); left != 0 {
		t.Errorf("%d lingering after the code has ended", left)
	}
}

func TestThePanicOfARunIsItsFailure(t *testing.T) {
	c := greeted(t)
	// A server without its parts panics wherever an operation needs one.
	c.server.charts = nil

	answer := c.result(c.send("render", map[string]any{"release": "it", "namespace": "default"}))

	if answer.Status != statusFailed || !strings.HasPrefix(answer.Message, "internal error of Helm: ") {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	c.server.charts = newChartCache(maxCharts, maxChartBytes)
	path, digest := simpleChart(t)
	c.done("render", map[string]any{"release": "it", "namespace": "default", "chart": path, "chartDigest": digest})
}

func TestTheEndOfTheStreamCancelsEverything(t *testing.T) {
	api := newFakeAPI(t)
	arrived := make(chan struct{}, 9)
	api.hold = func(r *http.Request) {
		if r.Method == http.MethodPost {
			arrived <- struct{}{}
			<-r.Context().Done()
		}
	}
	path, digest := simpleChart(t)
	c := greeted(t)
	c.server.requestGrace = 10 * time.Millisecond
	id := c.send("install", paramsFor(api, path, digest))
	await(t, "the release", arrived)

	c.in.Close()
	if code := await(t, "the end", c.ended); code != 0 {
		t.Errorf("exit code %d", code)
	}
	closed := inBackground(func() { c.server.close(patience) })

	if answer := c.result(id); answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	await(t, "the end of everything", closed)
}

func TestABrokenStreamIsAnErrorOfThisProcess(t *testing.T) {
	c := greeted(t)
	if _, err := c.in.Write([]byte("wrote /tmp/x\n")); err != nil {
		t.Fatal(err)
	}
	if code := await(t, "the end", c.ended); code != 2 {
		t.Errorf("exit code %d", code)
	}
}

func TestManyOperationsLeaveNoGoroutines(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)
	round := func() {
		c.done("install", params)
		c.done("upgrade", params)
		c.done("rollback", with(params, "revision", 1))
		c.done("uninstall", params)
	}
	round()
	before := runtime.NumGoroutine()

	for range 10 {
		round()
	}

	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before+5 && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before+5 {
		slog.Error("goroutines are left")
		t.Errorf("%d goroutines before, %d after", before, now)
	}
}
