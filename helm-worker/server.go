// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// operation is a request that takes time and can be cancelled.
type operation struct {
	ctx      context.Context
	cancel   context.CancelFunc
	requests *requestTracker
}

// server answers requests, each in a goroutine of its own. How many there are at a time is the operator's matter.
type server struct {
	out      *frameWriter
	clusters *clusters
	charts   *chartCache
	// How long requests on their way may take to end after a cancellation, and then the code that sent them.
	requestGrace, codeGrace time.Duration
	work                    func(*operation, *request) response
	heartbeat               *heartbeat

	mu      sync.Mutex
	greeted bool
	closed  bool
	running map[int64]*operation
	idle    sync.WaitGroup
	// Operations that were answered as cancelled while a template still computes.
	lingering atomic.Int64
}

func newServer(out *frameWriter) *server {
	s := &server{
		out:          out,
		clusters:     newClusters(),
		charts:       newChartCache(maxCharts, maxChartBytes),
		requestGrace: 2 * time.Second,
		codeGrace:    time.Second,
		running:      map[int64]*operation{},
		heartbeat:    newHeartbeat(time.Now),
	}
	s.work = s.run
	return s
}

// handle returns at once.
func (s *server) handle(asked *request) {
	switch asked.Method {
	case "hello":
		s.answer(asked.ID, s.hello(asked.Params))
	case "cancel":
		s.cancel(asked.Params)
	case "forget":
		s.forget(asked.Params)
	default:
		s.begin(asked)
	}
}

func (s *server) hello(raw json.RawMessage) response {
	params, err := parsed[struct{ Protocol, MemoryMiB int64 }](raw)
	if err != nil {
		return failure(err)
	}
	if params.Protocol != protocolVersion {
		return failure(fmt.Errorf("protocol %d is not spoken here, only %d", params.Protocol, protocolVersion))
	}
	if params.MemoryMiB > 0 {
		debug.SetMemoryLimit(params.MemoryMiB << 20)
	}
	s.mu.Lock()
	s.greeted = true
	s.mu.Unlock()
	return response{Status: statusDone, Protocol: protocolVersion, Helm: helmVersion(), Version: version}
}

func (s *server) cancel(raw json.RawMessage) {
	params, err := parsed[struct{ ID int64 }](raw)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.running[params.ID]; known != nil {
		known.cancel()
	}
}

// beat is called again and again. Operations that began before this process stood still are cancelled: whoever asked
// for them may have lost its lease meanwhile, and is told as soon as it finds out itself.
func (s *server) beat() {
	era := s.heartbeat.era()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, each := range s.running {
		if each.requests.era != era && each.ctx.Err() == nil {
			slog.Warn("an operation is cancelled, for this process stood still", "id", id)
			each.cancel()
		}
	}
}

func (s *server) forget(raw json.RawMessage) {
	if params, err := parsed[struct{ Cluster string }](raw); err == nil {
		s.clusters.forget(params.Cluster)
	}
}

func (s *server) begin(asked *request) {
	ctx, cancel := context.WithCancel(context.Background())
	started := &operation{ctx: ctx, cancel: cancel, requests: newRequestTracker(s.heartbeat)}
	s.mu.Lock()
	var refusal response
	switch {
	case !s.greeted:
		refusal = failure(errors.New("the first request must be hello"))
	case s.closed:
		refusal = response{Status: statusCancelled}
	case s.running[asked.ID] != nil:
		refusal = failure(fmt.Errorf("request %d is still running", asked.ID))
	default:
		s.running[asked.ID] = started
		s.idle.Add(1)
	}
	s.mu.Unlock()
	if refusal.Status != "" {
		cancel()
		s.answer(asked.ID, refusal)
		return
	}
	go func() {
		defer s.idle.Done()
		defer cancel()
		result := s.supervise(started, asked)
		s.mu.Lock()
		delete(s.running, asked.ID)
		s.mu.Unlock()
		s.answer(asked.ID, result)
	}()
}

// supervise runs an operation to its end or to its cancellation. It says "cancelled" only when no request of it can be
// on its way any more, and waits a little for its code to end as well.
func (s *server) supervise(started *operation, asked *request) response {
	ended := make(chan response, 1)
	go func() { ended <- s.work(started, asked) }()
	var result response
	select {
	case result = <-ended:
	case <-started.ctx.Done():
	}
	if started.ctx.Err() == nil && !started.requests.wasInterrupted() {
		// Whatever Helm has left behind in the background ends as it would with a process.
		started.requests.stop(0)
		return result
	}
	started.requests.stop(s.requestGrace)
	if result.Status == "" {
		result = s.afterwards(ended, asked)
	}
	// It may have been over already. If nothing was kept from it, it knows how it ended.
	if result.Status == statusDone && !started.requests.wasInterrupted() {
		return result
	}
	return response{Status: statusCancelled}
}

// afterwards waits for the code of a cancelled operation, not for long.
func (s *server) afterwards(ended <-chan response, asked *request) response {
	timer := time.NewTimer(s.codeGrace)
	defer timer.Stop()
	select {
	case result := <-ended:
		return result
	case <-timer.C:
	}
	s.lingering.Add(1)
	slog.Warn("a cancelled operation still computes", "method", asked.Method, "id", asked.ID)
	go func() {
		<-ended
		s.lingering.Add(-1)
	}()
	return response{}
}

func (s *server) run(started *operation, asked *request) (result response) {
	defer func() {
		if caught := recover(); caught != nil {
			result = failure(panicked(caught))
		}
	}()
	switch asked.Method {
	case "install":
		return s.release(started, asked, (*releaseRun).install)
	case "upgrade":
		return s.release(started, asked, (*releaseRun).upgrade)
	case "rollback":
		return s.release(started, asked, (*releaseRun).rollback)
	case "uninstall":
		return s.release(started, asked, (*releaseRun).uninstall)
	case "render":
		params, err := parsed[renderParams](asked.Params)
		if err != nil {
			return failure(err)
		}
		manifest, err := render(started, s.charts, params)
		return resultOf(response{Manifest: &manifest}, err)
	case "pull":
		params, err := parsed[pullParams](asked.Params)
		if err != nil {
			return failure(err)
		}
		archive, err := pull(started, params)
		if err != nil && isNotFound(err) {
			return response{Status: statusNotFound, Message: err.Error()}
		}
		return resultOf(response{Archive: archive}, err)
	case "package":
		params, err := parsed[packageParams](asked.Params)
		if err != nil {
			return failure(err)
		}
		archive, err := pack(params)
		return resultOf(response{Archive: archive}, err)
	default:
		return failure(fmt.Errorf("unknown method %q", asked.Method))
	}
}

func (s *server) release(started *operation, asked *request, action func(*releaseRun) error) response {
	params, err := parsed[releaseParams](asked.Params)
	if err != nil {
		return failure(err)
	}
	asked.Params = nil
	known, release, err := s.clusters.use(params.Cluster, params.Kubeconfig)
	if err != nil {
		return failure(err)
	}
	defer release()
	access, err := newClusterAccess(known, started)
	if err != nil {
		return failure(err)
	}
	configuration, written, err := newConfiguration(access, params.Namespace)
	if err != nil {
		return failure(err)
	}
	params.Kubeconfig = ""
	err = action(&releaseRun{params, s.charts, configuration, started})
	return resultOf(response{Release: written.state()}, err)
}

func resultOf(done response, err error) response {
	if err != nil {
		return failure(err)
	}
	done.Status = statusDone
	return done
}

func failure(err error) response {
	result := response{Status: statusFailed, Message: strings.TrimSpace(err.Error())}
	if away := (*unreachableError)(nil); errors.As(err, &away) {
		result.Status = statusUnreachable
	}
	return result
}

func parsed[T any](raw json.RawMessage) (T, error) {
	var params T
	if err := json.Unmarshal(raw, &params); err != nil {
		// The text of the error may quote values.
		return params, errors.New("the parameters of the request cannot be read")
	}
	return params, nil
}

func (s *server) answer(id int64, result response) {
	result.ID = id
	result.ResidentBytes = residentBytes()
	result.Lingering = s.lingering.Load()
	// Without a reader there is nobody to tell; the end of the other stream follows.
	_ = s.out.send(result)
}

// close cancels everything, refuses what comes, and returns when all has ended or the limit is over.
func (s *server) close(limit time.Duration) {
	s.mu.Lock()
	s.closed = true
	for _, each := range s.running {
		each.cancel()
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.idle.Wait()
		close(ended)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		slog.Warn("requests were still on their way at the end")
	}
}
