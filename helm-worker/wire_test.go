// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func frame(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

func TestReadFrame(t *testing.T) {
	whole := frame(`{"id":7,"method":"install","params":{"release":"it"}}`)
	for name, row := range map[string]struct {
		stream []byte
		err    error
	}{
		"a whole frame":                         {whole, nil},
		"the end of the stream":                 {nil, io.EOF},
		"the end in the middle of a length":     {whole[:3], io.EOF},
		"the end in the middle of a body":       {whole[:20], io.EOF},
		"a length of nothing":                   {frame(""), errBadFrame},
		"a length that no frame has":            {[]byte{0xff, 0xff, 0xff, 0xff}, errBadFrame},
		"a body that is no JSON":                {frame("secret: x"), errBadFrame},
		"a body of the wrong shape":             {frame(`{"id":"secret"}`), errBadFrame},
		"what a library has printed in between": {[]byte("wrote /tmp/x\n"), errBadFrame},
	} {
		t.Run(name, func(t *testing.T) {
			asked, err := readFrame(bufio.NewReader(bytes.NewReader(row.stream)))
			if !errors.Is(err, row.err) {
				t.Fatalf("got error %v, want %v", err, row.err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error quotes the frame: %v", err)
			}
			if err == nil && (asked.ID != 7 || asked.Method != "install" || string(asked.Params) != `{"release":"it"}`) {
				t.Errorf("read %+v", asked)
			}
		})
	}
}

func TestSendWritesOneFrameWithTheEndOfALongMessage(t *testing.T) {
	var out bytes.Buffer
	writer := &frameWriter{out: &out}
	if err := writer.send(response{ID: 3, Status: statusFailed, Message: "begin" + strings.Repeat("<", maxMessage)}); err != nil {
		t.Fatal(err)
	}
	if got, want := int(binary.BigEndian.Uint32(out.Bytes())), out.Len()-4; got != want {
		t.Errorf("the length says %d, the body has %d bytes", got, want)
	}
	var read response
	if err := json.Unmarshal(out.Bytes()[4:], &read); err != nil {
		t.Fatal(err)
	}
	if read.ID != 3 || read.Status != statusFailed || read.Message != strings.Repeat("<", maxMessage) {
		t.Errorf("read id %d, status %s and a message of %d bytes", read.ID, read.Status, len(read.Message))
	}
}

func TestAnAnswerThatNoFrameCanHoldBecomesAFailure(t *testing.T) {
	manifest := strings.Repeat("x", maxFrame)
	var out bytes.Buffer
	if err := (&frameWriter{out: &out}).send(response{ID: 4, Status: statusDone, Manifest: &manifest}); err != nil {
		t.Fatal(err)
	}
	var read response
	if err := json.Unmarshal(out.Bytes()[4:], &read); err != nil || read.ID != 4 || read.Status != statusFailed {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestLastPart(t *testing.T) {
	for name, row := range map[string]struct {
		text  string
		limit int
		want  string
	}{
		"short":                       {"abc", 3, "abc"},
		"the end":                     {"abcdef", 2, "ef"},
		"no half character":           {"aä€", 4, "€"},
		"nothing but half characters": {"€", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := lastPart(row.text, row.limit); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
