// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Somebody on the same machine who looks at the processes that an operator starts. */
final class Bystander implements AutoCloseable {
  private static final long LOOK_EVERY_NANOS = 20_000_000;

  private final ProcessHandle operator;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  private Bystander(ProcessHandle operator) {
    this.operator = operator;
    this.thread = Thread.ofPlatform().daemon().name("bystander").unstarted(this::look);
  }

  static Bystander watch(ProcessHandle operator) {
    var bystander = new Bystander(operator);
    bystander.thread.start();
    return bystander;
  }

  private void look() {
    while (!Thread.interrupted()) {
      operator.children().forEach(this::note);
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }

  private void note(ProcessHandle child) {
    for (var what : new String[] {"cmdline", "environ"}) {
      try {
        var bytes = Files.readAllBytes(Path.of("/proc", String.valueOf(child.pid()), what));
        seen.add(new String(bytes, StandardCharsets.UTF_8).replace('\0', '\n'));
      } catch (IOException ended) {
        seen.add("a process had ended before its %s was read".formatted(what));
      }
    }
  }

  /** All arguments and environments seen so far. */
  String seen() {
    return String.join("\n", seen);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
