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

  <Q, R> Answer<R> call(MethodDescriptor<Q, R> method, Q request, Duration deadline)
      throws InterruptedException {
    if (!isUp()) {
      Optional<NoConnection> fault = look.fileFault();
      if (fault.isPresent()) {
        return new Answer.Failure<>(fault.get());
      }
    }
    var used = usableLink();
    var time = used.isUp() ? deadline : shortened(deadline);
    var end = UnaryCall.run(used.channel(), method, request, time);
    if (end.status().isOk() && end.message() != null) {
      return new Answer.Message<>(end.message());
    }
    var failure = new FailureReading(look, used.cameUp(), deadline).read(end);
    if (!used.isUp() && !end.answered()) {
      used.retire();
    }
    return new Answer.Failure<>(failure);
  }

  /** Leaves time to find out what a peer is that accepts connections but never says SETTINGS. */
  private static Duration shortened(Duration deadline) {
    var rest = deadline.minus(SocketLook.RESERVE);
    return rest.compareTo(SocketLook.RESERVE) < 0 ? deadline : rest;
  }

  private synchronized Link usableLink() {
    var current = link;
    if (current != null && current.isUsable()) {
      return current;
    }
    if (current != null) {
      current.retire();
    }
    var fresh = new Link(transports.to(endpoint), () -> onLost.forEach(Runnable::run));
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
