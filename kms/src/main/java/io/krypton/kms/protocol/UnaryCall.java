package io.krypton.kms.protocol;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
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
    static <R> End<R> late() {
      return new End<>(Status.DEADLINE_EXCEEDED, new Metadata(), false, null);
    }
  }

  /**
   * Makes the call on a connection that stands. The plugin is told its whole time, and it is
   * counted from the moment at which the request is written: a deadline of the library would begin
   * before, and lose what it takes to load classes.
   */
  static <Q, R> End<R> run(
      Channel channel, CallTimer timer, MethodDescriptor<Q, R> method, Q request, CallBudget budget)
      throws InterruptedException {
    var listener = new UnaryCall<R>();
    var call = start(channel, method, request, budget, listener);
    timer.start(budget.answer(), () -> listener.end.complete(End.late()));
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
      CallBudget budget,
      UnaryCall<R> listener) {
    var callers = Context.ROOT.attach();
    try {
      var call = channel.newCall(method, CallOptions.DEFAULT);
      var headers = new Metadata();
      headers.put(TIMEOUT, budget.header());
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
}
