// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync"
	"time"
)

const (
	heartbeatInterval = time.Second
	// A leader that stood still for longer may have lost its lease, and the next one may have changed the same releases.
	longestStandstill = 5 * time.Second
)

// heartbeat notices that this process stood still: it was suspended, or its machine was. Whoever is the first to look
// afterwards, the ticker or a request, begins a new era; operations of an earlier one may send nothing any more.
type heartbeat struct {
	now func() time.Time

	mu   sync.Mutex
	last time.Time
	eras int
}

func newHeartbeat(now func() time.Time) *heartbeat {
	return &heartbeat{now: now, last: now()}
}

// era is the number of the present one.
func (h *heartbeat) era() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	if now.Sub(h.last) > longestStandstill {
		h.eras++
	}
	h.last = now
	return h.eras
}
