// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// testClock goes on only when it is told to.
type testClock struct{ passed atomic.Int64 }

func (c *testClock) now() time.Time { return time.Unix(0, c.passed.Load()) }

func (c *testClock) advance(by time.Duration) { c.passed.Add(int64(by)) }

// steady is the heartbeat of a process that never stands still, however slow the machine is.
func steady() *heartbeat { return newHeartbeat((&testClock{}).now) }

func TestAStandstillBeginsAnotherEra(t *testing.T) {
	clock := &testClock{}
	h := newHeartbeat(clock.now)
	for _, row := range []struct {
		pause time.Duration
		era   int
	}{{0, 0}, {heartbeatInterval, 0}, {longestStandstill, 0}, {longestStandstill + 1, 1}, {heartbeatInterval, 1}, {time.Hour, 2}} {
		clock.advance(row.pause)
		if got := h.era(); got != row.era {
			t.Errorf("after %v: era %d, not %d", row.pause, got, row.era)
		}
	}
}

func TestAnOperationThatAStandstillInterruptedSendsNothingMore(t *testing.T) {
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
	c, clock := greeted(t), &testClock{}
	c.server.heartbeat = newHeartbeat(clock.now)
	id := c.send("install", paramsFor(api, path, digest))
	await(t, "the first object", arrived)
	secrets := api.seen("PUT") + api.seen("POST")

	// No tick comes before the next request.
	clock.advance(longestStandstill + 1)
	close(letGo)
	answer := c.result(id)

	if answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
	if now := api.seen("PUT") + api.seen("POST"); now != secrets {
		t.Errorf("%d writes of the release after the standstill", now-secrets)
	}
	c.done("uninstall", paramsFor(api, path, digest))
	c.done("install", paramsFor(api, path, digest))
}

func TestAnOperationThatWaitsIsCancelledAfterAStandstill(t *testing.T) {
	c, clock := greeted(t), &testClock{}
	c.server.heartbeat = newHeartbeat(clock.now)
	begun := make(chan struct{})
	c.server.work = func(started *operation, _ *request) response {
		close(begun)
		<-started.ctx.Done()
		return response{Status: statusFailed}
	}
	id := c.send("render", map[string]any{})
	await(t, "the operation", begun)

	c.server.beat()
	clock.advance(longestStandstill + 1)
	c.server.beat()

	if answer := c.result(id); answer.Status != statusCancelled {
		t.Errorf("%s %q", answer.Status, answer.Message)
	}
}
