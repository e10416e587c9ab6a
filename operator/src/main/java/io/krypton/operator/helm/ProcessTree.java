package io.krypton.operator.helm;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process with everything it started.
 *
 * <p>Java cannot put a child into a process group of its own, and an image without a shell has no
 * {@code setsid}. The handles of descendants serve as well: they are taken before the first signal,
 * because a child whose parent is gone can no longer be found, and again before the last.
 */
final class ProcessTree {
  private static final Duration AFTER_KILL = Duration.ofSeconds(2);

  private final ProcessHandle root;
  private final Set<ProcessHandle> members = ConcurrentHashMap.newKeySet();

  ProcessTree(ProcessHandle root) {
    this.root = root;
  }

  /** SIGTERM to all, SIGKILL to those that are still there after the grace; not interruptible. */
  void end(Duration grace) {
    findMembers();
    members.forEach(ProcessHandle::destroy);
    await(grace);
    kill();
  }

  void kill() {
    findMembers();
    members.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
    await(AFTER_KILL);
  }

  private void findMembers() {
    members.add(root);
    root.descendants().forEach(members::add);
  }

  private void await(Duration limit) {
    var ended =
        CompletableFuture.allOf(
            members.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
    var deadline = System.nanoTime() + limit.toNanos();
    var interrupted = false;
    while (true) {
      try {
        ended.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException e) {
        break;
      } catch (ExecutionException e) {
        throw new IllegalStateException("waiting for a process cannot fail", e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
