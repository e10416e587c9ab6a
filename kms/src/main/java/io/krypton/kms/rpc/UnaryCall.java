// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One request, at most one response, and how the call ended. */
final class UnaryCall<R> extends ClientCall.Listener<R> {
  private static final Metadata.Key<String> TIMEOUT =
      Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);

  private final CompletableFuture<End<R>> end = new CompletableFuture<>();
  private boolean answered;
  private @Nullable R message;

  private UnaryCall() {}

  /**
   * @param answered whether headers of a gRPC response arrived, so that the status is the peer's
   */
  record End<R>(Status status, Metadata trailers, boolean answered, @Nullable R message) {

    /** No answer came in time. */
    static <R> End<R> deadlineExceeded() {
      return new End<>(Status.DEADLINE_EXCEEDED, new Metadata(), false, null);
    }
  }

  /**
   * Makes the call on a connection that stands. The plugin is told its whole time, and it is
   * counted from the moment at which the request is written: a deadline of the library would begin
   * before, and lose what it takes to load classes.
   */
  static <Q, R> End<R> run(
      Channel channel,
      CallTimer timer,
      MethodDescriptor<Q, R> method,
      Q request,
      CallTimeouts budget)
      throws InterruptedException {
    var listener = new UnaryCall<R>();
    var call = start(channel, method, request, budget, listener);
    timer.start(budget.answer(), () -> listener.end.complete(End.deadlineExceeded()));
    try {
      return listener.end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call never completes with an error", e);
    } finally {
      call.cancel("nobody waits for it any more", null);
    }
  }

  /** Starts from the root context, so that no caller's cancellation can look like a sick plugin. */
  private static <Q, R> ClientCall<Q, R> start(
      Channel channel,
      MethodDescriptor<Q, R> method,
      Q request,
      CallTimeouts budget,
      UnaryCall<R> listener) {
    var callers = Context.ROOT.attach();
    try {
      var call = channel.newCall(method, CallOptions.DEFAULT);
      var headers = new Metadata();
      headers.put(TIMEOUT, budget.grpcTimeout());
      call.start(listener, headers);
      call.request(1);
      call.sendMessage(request);
      call.halfClose();
      return call;
    } finally {
      Context.ROOT.detach(callers);
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    answered = true;
  }

  @Override
  public void onMessage(R received) {
    message = received;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.complete(new End<>(status, trailers, answered, message));
  }

  /**
   * How long the two parts of a call may take. The time of the plugin begins when the request is
   * written on a connection that stands; until then it is our own time, of which a cold JVM needs
   * much, as it loads most of its classes for its first connection.
   *
   * @param connect until the connection stands
   * @param answer from the written request to the answer
   */
  record CallTimeouts(Duration connect, Duration answer) {
    /** Since the first use of this class, at the end of which a JVM should have become warm. */
    static final Duration WARM_UP = Duration.ofSeconds(8);

    /** What a warm JVM gets at least; a short timeout says nothing about this machine. */
    static final Duration LEAST = Duration.ofSeconds(1);

    private static final int MOST_DIGITS = 99_999_999;
    private static final long FIRST_USE = System.nanoTime();

    static CallTimeouts of(Duration timeout) {
      return of(timeout, Duration.ofNanos(System.nanoTime() - FIRST_USE));
    }

    /**
     * The budget of a call.
     *
     * @param timeout what the plugin gets
     * @param age how long connections have been in use in this JVM
     */
    static CallTimeouts of(Duration timeout, Duration age) {
      return new CallTimeouts(longer(longer(timeout, LEAST), WARM_UP.minus(age)), timeout);
    }

    private static Duration longer(Duration one, Duration other) {
      return one.compareTo(other) >= 0 ? one : other;
    }

    /** The plugin's time in the words of the header {@code grpc-timeout}: eight digits at most. */
    String grpcTimeout() {
      var micros = answer.toNanos() / 1_000;
      if (micros <= MOST_DIGITS) {
        return Math.max(1, micros) + "u";
      }
      var millis = answer.toMillis();
      return millis <= MOST_DIGITS ? millis + "m" : Math.min(MOST_DIGITS, answer.toSeconds()) + "S";
    }
  }

  /** Ends what takes too long. */
  @FunctionalInterface
  interface CallTimer {

    /**
     * Starts to count when everything written so far has left this process, and then runs the task.
     * What has arrived by that moment is read before the task runs.
     */
    void start(Duration time, Runnable task);
  }
}
