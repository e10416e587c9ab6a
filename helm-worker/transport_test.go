// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is what a busy machine may take for what takes a moment.
const patience = 60 * time.Second

// slowServer tells when a request has come and answers when it is let go, or when its client has gone.
type slowServer struct {
	*httptest.Server
	arrived chan string
	letGo   chan struct{}
	left    chan string
}

func newSlowServer(t *testing.T) *slowServer {
	t.Helper()
	s := &slowServer{arrived: make(chan string, 99), letGo: make(chan struct{}), left: make(chan string, 99)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/streamed" {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
		}
		s.arrived <- r.URL.Path
		select {
		case <-s.letGo:
			fmt.Fprint(w, "answer")
		case <-r.Context().Done():
			s.left <- r.URL.Path
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *slowServer) get(client *http.Client, path string) (string, error) {
	answer, err := client.Get(s.URL + path)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

func await[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatalf("%s did not happen", what)
		panic("unreachable")
	}
}

func inBackground(work func()) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		work()
	}()
	return ended
}

func TestAStoppedOperationSendsNothing(t *testing.T) {
	server := newSlowServer(t)
	requests := newRequestTracker(steady())
	client := &http.Client{Transport: requests.over(server.Client().Transport)}
	requests.stop(patience)

	_, err := server.get(client, "/late")

	if !errors.Is(err, errStopped) {
		t.Errorf("got %v", err)
	}
	if !requests.wasInterrupted() {
		t.Error("a refused request does not count as an interruption")
	}
	if len(server.arrived) > 0 {
		t.Error("the request reached the server")
	}
}

func TestStopWaitsForTheAnswerOfARequest(t *testing.T) {
	server := newSlowServer(t)
	requests := newRequestTracker(steady())
	client := &http.Client{Transport: requests.over(server.Client().Transport)}
	var text string
	answered := inBackground(func() { text, _ = server.get(client, "/write") })
	await(t, "the request", server.arrived)

	stopped := inBackground(func() { requests.stop(patience) })
	select {
	case <-stopped:
		t.Fatal("stopped while a request was on its way")
	case <-time.After(50 * time.Millisecond):
	}
	close(server.letGo)
	await(t, "the stop", stopped)
	await(t, "the answer", answered)

	if text != "answer" {
		t.Errorf("read %q", text)
	}
	if requests.wasInterrupted() {
		t.Error("nothing was kept from the operation")
	}
}

func TestStopCutsOffAHangingServerAfterTheGrace(t *testing.T) {
	for _, path := range []string{"/silent", "/streamed"} {
		t.Run(path, func(t *testing.T) {
			server := newSlowServer(t)
			requests := newRequestTracker(steady())
			client := &http.Client{Transport: requests.over(server.Client().Transport)}
			var err error
			answered := inBackground(func() { _, err = server.get(client, path) })
			await(t, "the request", server.arrived)

			requests.stop(10 * time.Millisecond)

			await(t, "the end of the request at the server", server.left)
			await(t, "the end of the request at the client", answered)
			if err == nil || !requests.wasInterrupted() {
				t.Errorf("error %v, interrupted %v", err, requests.wasInterrupted())
			}
		})
	}
}

func TestStopEndsWatchesAtOnce(t *testing.T) {
	server := newSlowServer(t)
	requests := newRequestTracker(steady())
	client := &http.Client{Transport: requests.over(server.Client().Transport)}
	watched := inBackground(func() { server.get(client, "/streamed?resourceVersion=1&watch=true") })
	await(t, "the watch", server.arrived)

	requests.stop(time.Hour)

	await(t, "the end of the watch", watched)
	if requests.wasInterrupted() {
		t.Error("the end of a watch tells nothing about the outcome")
	}
}

func TestAnAnswerThatIsNotReadCountsUntilItIsClosed(t *testing.T) {
	server := newSlowServer(t)
	close(server.letGo)
	requests := newRequestTracker(steady())
	client := &http.Client{Transport: requests.over(server.Client().Transport)}
	answer, err := client.Get(server.URL + "/read")
	if err != nil {
		t.Fatal(err)
	}

	stopped := inBackground(func() { requests.stop(patience) })
	select {
	case <-stopped:
		t.Fatal("stopped while an answer was being read")
	case <-time.After(50 * time.Millisecond):
	}
	answer.Body.Close()
	answer.Body.Close()

	await(t, "the stop", stopped)
}

func TestManyRequestsAndAStopInTheMiddle(t *testing.T) {
	server := newSlowServer(t)
	close(server.letGo)
	requests := newRequestTracker(steady())
	client := &http.Client{Transport: requests.over(server.Client().Transport)}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for {
				if _, err := server.get(client, "/one"); err != nil {
					if !errors.Is(err, errStopped) && !strings.Contains(err.Error(), "context canceled") {
						t.Errorf("got %v", err)
					}
					return
				}
			}
		})
	}
	go func() {
		for range server.arrived {
		}
	}()
	time.Sleep(20 * time.Millisecond)

	requests.stop(patience)

	await(t, "the end of all", inBackground(all.Wait))
	if len(requests.open) != 0 {
		t.Errorf("%d requests are still counted", len(requests.open))
	}
}

// deafTransport answers as if it had not heard that its request was cut off: both came at the same moment.
type deafTransport struct{ arrived, letGo chan struct{} }

func (d *deafTransport) RoundTrip(*http.Request) (*http.Response, error) {
	close(d.arrived)
	<-d.letGo
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("answer"))}, nil
}

func TestAnAnswerThatComesAsItsRequestIsCutOffHoldsUpNobody(t *testing.T) {
	deaf := &deafTransport{make(chan struct{}), make(chan struct{})}
	tracker := newRequestTracker(steady())
	asked, err := http.NewRequest(http.MethodGet, "https://example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	answered := inBackground(func() {
		// Whoever asked is busy, and closes the answer never.
		if _, err := tracker.over(deaf).RoundTrip(asked); err != nil {
			t.Error(err)
		}
	})
	await(t, "the request", deaf.arrived)
	stopped := inBackground(func() { tracker.stop(0) })
	for !tracker.wasInterrupted() {
		time.Sleep(time.Millisecond)
	}
	select {
	case <-stopped:
		t.Error("stop did not wait for a request that was on its way")
	default:
	}
	close(deaf.letGo)

	await(t, "the answer", answered)
	await(t, "the end of stop", stopped)
}
