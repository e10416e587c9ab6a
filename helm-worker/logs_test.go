// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"log"
	"log/slog"
	"strings"
	"testing"

	"k8s.io/klog/v2"
)

func TestLogLinesHoldNamesAndNoTextsOfOthers(t *testing.T) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	var lines bytes.Buffer
	logTo(&lines)
	secret := errors.New("hunter2")

	slog.Warn("upgrade failed", "name", "shop", "error", secret)
	slog.Error("cluster reachability check failed: " + secret.Error())
	slog.Warn("returned non-bool value", "path", "hunter2", "chart", "parent")
	slog.Info("hunter2")
	log.Printf("warning: cannot overwrite table with non table for password (hunter2)")
	klog.Errorf("watch failed: %v", secret)
	klog.Warningf("hunter2")
	slog.Error("panic in an operation", "stack", strings.Repeat("a\n", 5000))

	text := lines.String()
	if strings.Contains(text, "hunter2") {
		t.Errorf("the log holds what it must not:\n%s", text)
	}
	for _, wanted := range []string{`msg="upgrade failed" name=shop`, `msg="cluster reachability check failed"`, "chart=parent"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the log lacks %s:\n%s", wanted, text)
		}
	}
	for _, line := range strings.SplitAfter(text, "\n") {
		if len(line) > longestLine {
			t.Errorf("a line has %d bytes", len(line))
		}
		if line != "" && !strings.HasSuffix(line, "\n") {
			t.Errorf("a line has no end: %.80s", line)
		}
	}
}

func TestOnlyErrorsOfThisProgramAreErrors(t *testing.T) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	var lines bytes.Buffer
	logTo(&lines)

	slog.New(newOperationLogs(t.Context())).With("name", "shop").Error("cluster reachability check failed")
	klog.Errorf("watch failed")
	slog.Error("panic in an operation")

	for _, wanted := range []string{`level=WARN msg="cluster`, `level=WARN msg="watch failed`, `level=ERROR msg="panic in`} {
		if !strings.Contains(lines.String(), wanted) {
			t.Errorf("the log lacks %s:\n%s", wanted, lines.String())
		}
	}
}

func TestAnOperationHasSomeLinesAndNoneOnceItIsCancelled(t *testing.T) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	var lines bytes.Buffer
	logTo(&lines)
	ctx, cancel := context.WithCancel(t.Context())
	logger, other := slog.New(newOperationLogs(ctx)), slog.New(newOperationLogs(ctx))

	for range 100 {
		logger.With("name", "shop").Warn("one of many")
	}
	other.Warn("of another operation")
	cancel()
	other.Warn("after the end")

	if got := strings.Count(lines.String(), "one of many"); got != linesOfOperation {
		t.Errorf("%d lines", got)
	}
	if !strings.Contains(lines.String(), "another operation") || strings.Contains(lines.String(), "after the end") {
		t.Errorf("logged:\n%s", lines.String())
	}
}
