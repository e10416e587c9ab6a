// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A worker within this JVM, over real pipes. What it answers is up to the test. */
final class TestingWorker implements WorkerProcess {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Pipe input = pipe();
  private final Pipe output = pipe();
  private final Pipe errors = pipe();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private final OutputStream answers = Channels.newOutputStream(output.sink());
  private volatile Consumer<JsonNode> onRequest = request -> {};
  private volatile boolean greets = true;

  private static Pipe pipe() {
    try {
      return Pipe.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers the greeting and nothing else. */
  static TestingWorker silent() {
    return new TestingWorker();
  }

  /** Answers each operation at once as done. */
  static TestingWorker quick() {
    return new TestingWorker().onRequest((worker, request) -> worker.answer(request, "done"));
  }

  /** What it does with each request but the greeting. */
  interface Behaviour {
    void on(TestingWorker worker, JsonNode request);
  }

  TestingWorker onRequest(Behaviour behaviour) {
    onRequest = request -> behaviour.on(this, request);
    return this;
  }

  /** Leaves the greeting to the behaviour, too. */
  TestingWorker withoutGreeting() {
    greets = false;
    return this;
  }

  TestingWorker start() {
    Thread.ofPlatform().daemon().name("testing worker").start(this::serve);
    return this;
  }

  private void serve() {
    try (var in = Channels.newInputStream(input.source())) {
      for (var frame = FrameCodec.read(in); frame.isPresent(); frame = FrameCodec.read(in)) {
        var request = JSON.readTree(frame.get());
        requests.add(request);
        if (greets && request.path("method").asText().equals("hello")) {
          send(answerTo(request, "done").put("protocol", 1).put("helm", "v4.3.1"));
        } else {
          onRequest.accept(request);
        }
      }
      die(0);
    } catch (IOException killed) {
      die(137);
    }
  }

  /** All that were asked for, in order, but the greeting. */
  List<JsonNode> requests() {
    return requests.stream().filter(it -> !it.path("method").asText().equals("hello")).toList();
  }

  List<String> methods() {
    return requests().stream().map(it -> it.path("method").asText()).toList();
  }

  static ObjectNode answerTo(JsonNode request, String status) {
    return JSON.createObjectNode().put("id", request.path("id").asLong()).put("status", status);
  }

  void answer(JsonNode request, String status) {
    send(answerTo(request, status));
  }

  /** Answers as cancelled what a request asks to cancel. */
  void answerCancelled(JsonNode cancel) {
    send(
        JSON.createObjectNode()
            .put("id", cancel.at("/params/id").asLong())
            .put("status", "cancelled"));
  }

  void send(JsonNode response) {
    sendBytes(response.toString().getBytes(StandardCharsets.UTF_8));
  }

  void sendBytes(byte[] content) {
    try {
      synchronized (answers) {
        FrameCodec.write(answers, content);
      }
    } catch (IOException nobodyListens) {
      die(1);
    }
  }

  void say(String line) {
    try {
      Channels.newOutputStream(errors.sink()).write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends as a process does. */
  void die(int code) {
    try {
      output.sink().close();
      errors.sink().close();
      input.source().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    exit.complete(code);
  }

  boolean isDead() {
    return exit.isDone();
  }

  @Override
  public OutputStream input() {
    return Channels.newOutputStream(input.sink());
  }

  @Override
  public InputStream output() {
    return Channels.newInputStream(output.source());
  }

  @Override
  public InputStream errors() {
    return Channels.newInputStream(errors.source());
  }

  @Override
  public CompletableFuture<Integer> exit() {
    return exit;
  }

  @Override
  public void kill() {
    die(137);
  }

  /** Starts those that a test has prepared, then quick ones. */
  static final class Launches implements Launcher {
    private final List<TestingWorker> prepared = new CopyOnWriteArrayList<>();
    private final List<TestingWorker> started = new CopyOnWriteArrayList<>();
    private volatile String refusal = "";

    Launches(TestingWorker... workers) {
      prepared.addAll(List.of(workers));
    }

    void refuse(String reason) {
      refusal = reason;
    }

    List<TestingWorker> started() {
      return started;
    }

    TestingWorker last() {
      return started.getLast();
    }

    @Override
    public WorkerProcess launch() throws UnusableWorkerException {
      if (!refusal.isEmpty()) {
        throw new UnusableWorkerException(refusal);
      }
      var worker = prepared.isEmpty() ? quick() : prepared.removeFirst();
      started.add(worker);
      return worker.start();
    }

    @Override
    public Optional<String> problem() {
      return Optional.of(refusal).filter(it -> !it.isEmpty());
    }
  }
}
