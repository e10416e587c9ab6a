package io.krypton.kms.protocol;

import io.grpc.MethodDescriptor;
import io.krypton.kms.protocol.CallFailure.NoConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The one way to an endpoint, shared by all who have it open. */
final class SharedChannel {
  private final Transports transports;
  private final Endpoint endpoint;
  private final SocketLook look;
  private final List<Runnable> onLost = new CopyOnWriteArrayList<>();
  private @Nullable Link link;

  SharedChannel(Transports transports, Endpoint endpoint) {
    this.transports = transports;
    this.endpoint = endpoint;
    this.look = new SocketLook(endpoint, transports);
  }

  void join(Runnable whenLost) {
    onLost.add(whenLost);
  }

  /** Returns whether nobody is left. */
  boolean leave(Runnable whenLost) {
    onLost.remove(whenLost);
    return onLost.isEmpty();
  }

  synchronized boolean isUp() {
    return link != null && link.isUp();
  }

  SocketLook look() {
    return look;
  }

  <Q, R> Answer<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout)
      throws InterruptedException {
    if (!isUp()) {
      Optional<NoConnection> fault = look.fileFault();
      if (fault.isPresent()) {
        return new Answer.Failure<>(fault.get());
      }
    }
    var budget = CallBudget.of(timeout);
    var used = usableLink();
    var ready = used.await(budget.connect());
    if (!ready && used.isRetired()) {
      // By somebody else, who found that it leads nowhere.
      used = usableLink();
      ready = used.await(budget.connect());
    }
    var end =
        ready
            ? UnaryCall.run(used.channel(), used.timer(), method, request, budget)
            : UnaryCall.End.<R>late();
    if (end.status().isOk() && end.message() != null) {
      return new Answer.Message<>(end.message());
    }
    var failure = new FailureReading(look, used, timeout).read(end);
    if (!used.isUp() && !end.answered()) {
      used.retire();
    }
    return new Answer.Failure<>(failure);
  }

  /**
   * The link in use, or a new one if it is lost or leads to a socket that another one has replaced:
   * an old process that lives on would answer for a plugin that nobody else reaches any more.
   */
  private synchronized Link usableLink() {
    var current = link;
    var there = look.identity();
    if (current != null && current.isUsable() && current.leadsTo(there)) {
      return current;
    }
    if (current != null) {
      current.retire();
    }
    var fresh = new Link(transports.to(endpoint), there, () -> onLost.forEach(Runnable::run));
    link = fresh;
    return fresh;
  }

  synchronized void close() {
    if (link != null) {
      link.close();
    }
    link = null;
  }
}
