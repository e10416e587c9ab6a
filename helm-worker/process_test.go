// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram makes the test binary be the program; TestMain looks at it.
const asProgram = "KRYPTON_HELM_TEST_AS_PROGRAM"

func program(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, arguments...)
	command.Env = append(os.Environ(), asProgram+"=1")
	return command
}

// process is a started program and the operator's ends of its streams.
type process struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	errors  bytes.Buffer
	answers chan string
	ended   chan error
}

func started(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, command: program(t), answers: make(chan string, 99), ended: make(chan error, 1)}
	in, err := p.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in = in
	p.command.Stderr = &p.errors
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			var header [4]byte
			if _, err := io.ReadFull(out, header[:]); err != nil {
				break
			}
			body := make([]byte, int(header[0])<<24|int(header[1])<<16|int(header[2])<<8|int(header[3]))
			io.ReadFull(out, body)
			p.answers <- string(body)
		}
		p.ended <- p.command.Wait()
	}()
	t.Cleanup(func() { p.command.Process.Kill() })
	return p
}

func (p *process) send(id int64, method string, params any) {
	p.t.Helper()
	text, _ := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if _, err := p.in.Write(frame(string(text))); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) greet() {
	p.t.Helper()
	p.send(1, "hello", map[string]any{"protocol": 1, "memoryMiB": 256})
	if answer := await(p.t, "the greeting", p.answers); !strings.Contains(answer, `"status":"done"`) {
		p.t.Fatalf("greeted with %s", answer)
	}
}

func (p *process) exitCode() int {
	p.t.Helper()
	await(p.t, "the end of the process", p.ended)
	return p.command.ProcessState.ExitCode()
}

func TestTheProgramTellsWhatItIs(t *testing.T) {
	for name, row := range map[string]struct {
		arguments []string
		code      int
		want      string
	}{
		"version":      {[]string{"version"}, 0, "krypton-helm development, Helm v"},
		"json":         {[]string{"version", "--json"}, 0, `"go":"` + runtime.Version()},
		"no such flag": {[]string{"--help"}, 2, "is started by the krypton operator"},
	} {
		t.Run(name, func(t *testing.T) {
			command := program(t, row.arguments...)
			said, _ := command.CombinedOutput()
			if command.ProcessState.ExitCode() != row.code || !strings.Contains(string(said), row.want) {
				t.Errorf("exit code %d: %s", command.ProcessState.ExitCode(), said)
			}
			if strings.Count(string(said), "\n") != 1 {
				t.Errorf("not one line: %s", said)
			}
		})
	}
}

func TestWithoutAnOperatorTheProgramExplainsItself(t *testing.T) {
	command := program(t)
	// Not a terminal, but as little an operator.
	command.Stdin, _ = os.Open(os.DevNull)
	said, _ := command.CombinedOutput()
	if command.ProcessState.ExitCode() != 2 || !strings.Contains(string(said), "is started by the krypton operator") {
		t.Errorf("exit code %d: %s", command.ProcessState.ExitCode(), said)
	}
}

func TestTheProgramEndsWithItsOperator(t *testing.T) {
	for name, row := range map[string]struct {
		end  func(*process)
		code int
	}{
		"the stream is closed": {func(p *process) { p.in.Close() }, 0},
		"SIGTERM":              {func(p *process) { p.command.Process.Signal(syscall.SIGTERM) }, 0},
		"a broken stream":      {func(p *process) { p.in.Write([]byte{0, 0, 0, 0}) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			arrived, left := make(chan struct{}, 9), make(chan struct{}, 9)
			api.hold = func(r *http.Request) {
				if r.Method == http.MethodPost {
					arrived <- struct{}{}
					<-r.Context().Done()
					left <- struct{}{}
				}
			}
			path, digest := simpleChart(t)
			p := started(t)
			p.greet()
			p.send(2, "install", paramsFor(api, path, digest))
			await(t, "the release", arrived)

			row.end(p)

			if code := p.exitCode(); code != row.code {
				t.Errorf("exit code %d, %s", code, p.errors.String())
			}
			await(t, "the end of the request", left)
			if api.seen("PATCH") != 0 {
				t.Error("objects were sent after the end")
			}
		})
	}
}

func TestSignalsOfATerminalAreTheOperatorsMatter(t *testing.T) {
	p := started(t)
	p.greet()

	p.command.Process.Signal(syscall.SIGINT)
	p.command.Process.Signal(syscall.SIGHUP)
	time.Sleep(50 * time.Millisecond)
	path, digest := simpleChart(t)
	p.send(2, "render", map[string]any{"release": "it", "namespace": "default", "chart": path, "chartDigest": digest})

	if answer := await(t, "the answer", p.answers); !strings.Contains(answer, `"status":"done"`) {
		t.Errorf("answered %s", answer)
	}
	p.in.Close()
	if code := p.exitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestAnOperatorThatReadsNoMoreDoesNotKeepTheProgram(t *testing.T) {
	command := program(t)
	in, _ := command.StdinPipe()
	out, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill() })
	out.Close()
	text, _ := json.Marshal(map[string]any{"id": 1, "method": "hello", "params": map[string]any{"protocol": 1}})
	in.Write(frame(string(text)))
	in.Close()

	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()

	if err := await(t, "the end of the process", ended); err != nil {
		t.Errorf("ended with %v", err)
	}
}
