// SPDX-License-Identifier: Apache-2.0

// krypton-helm runs Helm for the operator: one process for all releases, spoken to by frames on standard input and
// output. DESIGN.md says what holds and why.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/kube"
)

const (
	explanation = "krypton-helm is started by the krypton operator, which speaks with it on standard input and output; " +
		"`krypton-helm version` tells what it is"
	// By then the operator counts on every request having ended.
	endLimit = 5 * time.Second
	// What is known of a cluster's API is dropped when nobody has used it for this long.
	unusedLimit = 10 * time.Minute
)

// A connection that is shared must be known to be dead sooner than one of a process that ends with its release. client-go
// reads these; its own are 30 and 15 seconds.
var connectionChecks = map[string]string{
	"HTTP2_READ_IDLE_TIMEOUT_SECONDS": "10",
	"HTTP2_PING_TIMEOUT_SECONDS":      "5",
}

// Set by the build.
var version = "development"

func helmVersion() string { return common.DefaultCapabilities.HelmVersion.Version }

// userAgent begins as Helm's does: servers derive the field manager of release Secrets from it.
func userAgent() string {
	return "Helm/" + strings.TrimPrefix(helmVersion(), "v") + " krypton-helm/" + version
}

func main() { os.Exit(run(os.Args[1:])) }

func run(arguments []string) int {
	switch {
	case len(arguments) == 0 && !isTerminal(os.Stdin):
		return serve(os.Stdin, os.Stdout)
	case len(arguments) == 1 && arguments[0] == "version":
		fmt.Printf("krypton-helm %s, Helm %s, %s\n", version, helmVersion(), runtime.Version())
		return 0
	case len(arguments) == 2 && arguments[0] == "version" && arguments[1] == "--json":
		text, _ := json.Marshal(map[string]string{"version": version, "helm": helmVersion(), "go": runtime.Version()})
		fmt.Println(string(text))
		return 0
	default:
		fmt.Fprintln(os.Stderr, explanation)
		return 2
	}
}

func isTerminal(file *os.File) bool {
	about, err := file.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}

// serve answers until the operator closes the stream or dies, and returns the exit code.
func serve(in io.Reader, out io.Writer) int {
	if silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		// Helm prints here and there. One such line would end the protocol.
		os.Stdout = silent
	}
	logTo(os.Stderr)
	for name, value := range connectionChecks {
		os.Setenv(name, value)
	}
	kube.ManagedFieldsManager = "helm"
	// A panic in a goroutine of client-go is logged and ends that goroutine, not the releases of everybody else.
	utilruntime.ReallyCrash = false
	// The keys of a terminal reach the whole group: the operator decides what they mean. A broken pipe is an error like any other.
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)

	s := newServer(&frameWriter{out: out})
	ended := make(chan int, 1)
	go func() { ended <- s.read(bufio.NewReader(in)) }()
	sweep := time.NewTicker(time.Minute)
	defer sweep.Stop()
	beats := time.NewTicker(heartbeatInterval)
	defer beats.Stop()
	for {
		select {
		case code := <-ended:
			s.close(endLimit)
			return code
		case <-terminated:
			s.close(endLimit)
			return 0
		case <-beats.C:
			s.beat()
		case <-sweep.C:
			s.clusters.dropUnused(time.Now().Add(-unusedLimit))
		}
	}
}

func (s *server) read(in *bufio.Reader) int {
	for {
		asked, err := readFrame(in)
		switch {
		case errors.Is(err, io.EOF):
			return 0
		case err != nil:
			slog.Error("the stream of requests is broken", "cause", err.Error())
			return 2
		}
		s.handle(asked)
	}
}

// residentBytes is the memory that this process holds now, or 0 where the system does not tell.
func residentBytes() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
