// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.MethodDescriptor;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.UnaryCall.CallTimeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The one way to an endpoint, shared by all who have it open. */
final class SharedChannel {
  private final SocketTransports socketTransports;
  private final Endpoint endpoint;
  private final SocketCheck socketCheck;
  private final List<Runnable> onLost = new CopyOnWriteArrayList<>();
  private @Nullable GrpcConnection connection;

  SharedChannel(SocketTransports socketTransports, Endpoint endpoint) {
    this.socketTransports = socketTransports;
    this.endpoint = endpoint;
    this.socketCheck = new SocketCheck(endpoint, socketTransports);
  }

  void acquire(Runnable whenLost) {
    onLost.add(whenLost);
  }

  /** Returns whether nobody is left. */
  boolean release(Runnable whenLost) {
    onLost.remove(whenLost);
    return onLost.isEmpty();
  }

  synchronized boolean isUp() {
    return connection != null && connection.isUp();
  }

  SocketCheck socketCheck() {
    return socketCheck;
  }

  <Q, R> RpcResult<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout)
      throws InterruptedException {
    if (!isUp()) {
      Optional<NoConnection> fault = socketCheck.fileFault();
      if (fault.isPresent()) {
        return new RpcResult.Failure<>(fault.get());
      }
    }
    var budget = CallTimeouts.of(timeout);
    var used = usableConnection();
    var ready = used.await(budget.connect());
    if (!ready && used.isRetired()) {
      // By somebody else, who found that it leads nowhere.
      used = usableConnection();
      ready = used.await(budget.connect());
    }
    var end =
        ready
            ? UnaryCall.run(used.channel(), used.timer(), method, request, budget)
            : UnaryCall.End.<R>deadlineExceeded();
    if (end.status().isOk() && end.message() != null) {
      return new RpcResult.Success<>(end.message());
    }
    var failure = new CallFailureClassifier(socketCheck, used, timeout).classify(end);
    if (!used.isUp() && !end.answered()) {
      used.retire();
    }
    return new RpcResult.Failure<>(failure);
  }

  /**
   * The link in use, or a new one if it is lost or leads to a socket that another one has replaced:
   * an old process that lives on would answer for a plugin that nobody else reaches any more.
   */
  private synchronized GrpcConnection usableConnection() {
    var current = connection;
    var there = socketCheck.identity();
    if (current != null && current.isUsable() && current.isConnectedTo(there)) {
      return current;
    }
    if (current != null) {
      current.retire();
    }
    var fresh =
        new GrpcConnection(
            socketTransports.routeTo(endpoint), there, () -> onLost.forEach(Runnable::run));
    connection = fresh;
    return fresh;
  }

  synchronized void close() {
    if (connection != null) {
      connection.close();
    }
    connection = null;
  }
}
