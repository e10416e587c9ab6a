// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

var errStopped = errors.New("the operation is cancelled: no further request is sent")

// requestTracker knows the requests of one operation that are on their way: from before one is sent until its answer
// has been read or dropped. Helm has no way to end an operation in all of its goroutines, so this is where it ends: once
// stopped, no request leaves any more, whoever asks for one.
type requestTracker struct {
	heartbeat *heartbeat
	// In which the operation began.
	era int

	mu      sync.Mutex
	open    map[*exchange]struct{}
	stopped bool
	// Whether a request was refused or cut off: what the operation then says about its own end is worth nothing.
	interrupted bool
	drained     chan struct{}
	isDrained   bool
}

// exchange is one request and its answer.
type exchange struct {
	cut      context.CancelFunc
	watch    bool
	answered bool
	isCut    bool
}

func newRequestTracker(beats *heartbeat) *requestTracker {
	return &requestTracker{heartbeat: beats, era: beats.era(), open: map[*exchange]struct{}{}, drained: make(chan struct{})}
}

// over returns a transport that sends by base and counts here.
func (t *requestTracker) over(base http.RoundTripper) http.RoundTripper {
	return &trackedTransport{tracker: t, base: base}
}

// stop refuses all further requests and returns when none is on its way any more. Watches end at once, other requests
// when they are answered or when grace is over.
func (t *requestTracker) stop(grace time.Duration) {
	t.mu.Lock()
	t.stopped = true
	for each := range t.open {
		if each.watch {
			t.cutOff(each)
		}
	}
	t.noteDrained()
	t.mu.Unlock()

	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-t.drained:
		return
	case <-timer.C:
	}
	t.mu.Lock()
	for each := range t.open {
		t.interrupted = true
		t.cutOff(each)
	}
	t.noteDrained()
	t.mu.Unlock()
	// A transport returns when the context of a request ends, however its server hangs.
	<-t.drained
}

// wasInterrupted tells whether stop has kept the operation from anything.
func (t *requestTracker) wasInterrupted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.interrupted
}

func (t *requestTracker) begin(each *exchange) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped || t.heartbeat.era() != t.era {
		t.interrupted = true
		return false
	}
	t.open[each] = struct{}{}
	return true
}

func (t *requestTracker) answered(each *exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each.answered = true
	if each.isCut {
		// Its transport did not hear of that in time. Nobody may ever read the answer.
		delete(t.open, each)
		t.noteDrained()
	}
}

func (t *requestTracker) end(each *exchange) {
	each.cut()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, each)
	t.noteDrained()
}

// cutOff needs the lock. A request without an answer is gone when its transport returns; one with an answer has done
// at the server what it will do, and is gone now.
func (t *requestTracker) cutOff(each *exchange) {
	each.cut()
	each.isCut = true
	if each.answered {
		delete(t.open, each)
	}
}

// noteDrained needs the lock.
func (t *requestTracker) noteDrained() {
	if t.stopped && len(t.open) == 0 && !t.isDrained {
		t.isDrained = true
		close(t.drained)
	}
}

// trackedTransport is the only way from an operation to a server.
type trackedTransport struct {
	tracker *requestTracker
	base    http.RoundTripper
}

func (t *trackedTransport) RoundTrip(asked *http.Request) (*http.Response, error) {
	ctx, cut := context.WithCancel(asked.Context())
	each := &exchange{cut: cut, watch: isWatch(asked)}
	if !t.tracker.begin(each) {
		cut()
		if asked.Body != nil {
			asked.Body.Close()
		}
		return nil, errStopped
	}
	answer, err := t.base.RoundTrip(asked.WithContext(ctx))
	if err != nil {
		t.tracker.end(each)
		return nil, err
	}
	t.tracker.answered(each)
	answer.Body = &trackedBody{ReadCloser: answer.Body, end: sync.OnceFunc(func() { t.tracker.end(each) })}
	return answer, nil
}

func isWatch(asked *http.Request) bool {
	if !strings.Contains(asked.URL.RawQuery, "watch=") {
		return false
	}
	value := asked.URL.Query().Get("watch")
	return value == "true" || value == "1"
}

// trackedBody ends its exchange when it is closed.
type trackedBody struct {
	io.ReadCloser
	end func()
}

func (b *trackedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
