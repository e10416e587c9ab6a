// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

const (
	protocolVersion = 1
	// A frame that claims to be larger is no frame: the stream has lost its step.
	maxFrame = 128 << 20
	// Of a longer message the end is kept. The operator redacts what it gets and shows the end only, so a secret that is
	// cut in two at the beginning is never shown.
	maxMessage = 64 << 10
)

var errBadFrame = errors.New("not a frame of this protocol")

// request is what the operator asks for. Each gets one response, except cancel and forget.
type request struct {
	ID     int64           `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type status string

const (
	statusDone        status = "done"
	statusFailed      status = "failed"
	statusUnreachable status = "unreachable"
	statusCancelled   status = "cancelled"
	statusNotFound    status = "notFound"
)

// response holds the fields of all methods; a method sets its own.
type response struct {
	ID            int64         `json:"id"`
	Status        status        `json:"status"`
	Message       string        `json:"message,omitempty"`
	Release       *releaseState `json:"release,omitempty"`
	Manifest      *string       `json:"manifest,omitempty"`
	Archive       string        `json:"archive,omitempty"`
	Protocol      int           `json:"protocol,omitempty"`
	Helm          string        `json:"helm,omitempty"`
	Version       string        `json:"version,omitempty"`
	ResidentBytes int64         `json:"residentBytes"`
	Lingering     int64         `json:"lingering,omitempty"`
}

// releaseState is what a cluster holds of a release after an operation.
type releaseState struct {
	Revision int    `json:"revision"`
	Status   string `json:"status"`
	Manifest string `json:"manifest"`
}

// readFrame returns io.EOF when the operator has closed the stream or died, even in the middle of a frame, and
// errBadFrame when what it sent cannot be read.
func readFrame(in *bufio.Reader) (*request, error) {
	var header [4]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return nil, io.EOF
	}
	length := binary.BigEndian.Uint32(header[:])
	if length == 0 || length > maxFrame {
		return nil, fmt.Errorf("%w: length %d", errBadFrame, length)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, io.EOF
	}
	var asked request
	if err := json.Unmarshal(body, &asked); err != nil {
		// The text of the error may quote what is in the frame.
		return nil, fmt.Errorf("%w: no JSON", errBadFrame)
	}
	return &asked, nil
}

// frameWriter sends whole frames, one at a time.
type frameWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// send reports an error when nobody reads any more.
func (w *frameWriter) send(answer response) error {
	answer.Message = lastPart(answer.Message, maxMessage)
	frame, err := encoded(answer)
	if err != nil {
		frame, err = encoded(response{ID: answer.ID, Status: statusFailed, Message: err.Error()})
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(frame)
	return err
}

func encoded(answer response) ([]byte, error) {
	var frame bytes.Buffer
	frame.Write(make([]byte, 4))
	encoder := json.NewEncoder(&frame)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, err
	}
	length := frame.Len() - 4
	if length > maxFrame {
		return nil, fmt.Errorf("the answer has %d bytes, more than a frame can hold", length)
	}
	binary.BigEndian.PutUint32(frame.Bytes(), uint32(length))
	return frame.Bytes(), nil
}

// lastPart keeps the end of a text, at most limit bytes of it, and begins with a whole character.
func lastPart(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	from := len(text) - limit
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return text[from:]
}
