// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"k8s.io/klog/v2"
)

const (
	longestLine = 2000
	// Helm has a line for each of a thousand objects.
	linesOfOperation = 20
)

// What Helm and client-go log may quote values, manifests and answers of servers. Only what these name is passed on:
// names of things, never texts of errors. Those are in the responses, which the operator redacts.
var loggedKeys = map[string]bool{
	slog.TimeKey: true, slog.LevelKey: true, slog.MessageKey: true,
	"name": true, "namespace": true, "kind": true, "release": true, "revision": true, "chart": true, "gvk": true,
	"count": true, "cluster": true, "method": true, "id": true, "cause": true, "stack": true,
}

// logTo sends warnings and errors of this program, of Helm and of client-go to a stream, one bounded line each.
func logTo(stream io.Writer) {
	handler := slog.NewTextHandler(&boundedLines{stream}, &slog.HandlerOptions{
		Level: slog.LevelWarn,
		ReplaceAttr: func(_ []string, attribute slog.Attr) slog.Attr {
			if !loggedKeys[attribute.Key] {
				return slog.Attr{}
			}
			if attribute.Key == slog.MessageKey {
				// Helm puts errors behind a colon.
				text, _, _ := strings.Cut(attribute.Value.String(), ": ")
				return slog.String(slog.MessageKey, text)
			}
			return attribute
		},
	})
	// It also takes what goes to the package log, as information: Helm writes values there.
	slog.SetDefault(slog.New(handler))
	klog.SetSlogLogger(slog.New(warnings{handler}))
}

// warnings takes the errors of Helm and client-go for what they are here: a server is away or refuses, which the
// response says. An error in the log is one of this program.
type warnings struct{ slog.Handler }

func (w warnings) Handle(ctx context.Context, line slog.Record) error {
	line.Level = min(line.Level, slog.LevelWarn)
	return w.Handler.Handle(ctx, line)
}

func (w warnings) WithAttrs(attributes []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attributes)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// operationLogs passes on what Helm logs of one operation: so many lines, and none once it is cancelled, for then
// everything fails.
type operationLogs struct {
	slog.Handler
	cancelled context.Context
	left      *atomic.Int32
}

func newOperationLogs(ctx context.Context) slog.Handler {
	left := &atomic.Int32{}
	left.Store(linesOfOperation)
	return &operationLogs{warnings{slog.Default().Handler()}, ctx, left}
}

func (l *operationLogs) Handle(ctx context.Context, line slog.Record) error {
	if l.cancelled.Err() != nil || l.left.Add(-1) < 0 {
		return nil
	}
	return l.Handler.Handle(ctx, line)
}

func (l *operationLogs) WithAttrs(attributes []slog.Attr) slog.Handler {
	return &operationLogs{l.Handler.WithAttrs(attributes), l.cancelled, l.left}
}

func (l *operationLogs) WithGroup(name string) slog.Handler {
	return &operationLogs{l.Handler.WithGroup(name), l.cancelled, l.left}
}

// boundedLines gets one line at a time from its handler.
type boundedLines struct{ out io.Writer }

func (b *boundedLines) Write(line []byte) (int, error) {
	shown := line
	if len(line) > longestLine {
		shown = append([]byte(strings.ToValidUTF8(string(line[:longestLine-1]), "")), '\n')
	}
	_, err := b.out.Write(shown)
	return len(line), err
}

// stack is for a log line: it names functions and lines and no values.
func stack() string {
	text := string(debug.Stack())
	return text[:min(len(text), longestLine)]
}
