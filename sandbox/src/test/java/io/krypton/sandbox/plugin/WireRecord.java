// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.krypton.generated.kms.v2.DecryptRequest;
import io.krypton.generated.kms.v2.EncryptRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a plugin sees of its callers. */
final class WireRecord implements ServerInterceptor {
  private final List<Seen> calls = new CopyOnWriteArrayList<>();

  /**
   * One call.
   *
   * @param headers the names of all of them
   * @param uid empty where the request has none
   * @param keyId empty where the request has none
   */
  record Seen(
      String method,
      String caller,
      String authority,
      String contentType,
      String timeout,
      Set<String> headers,
      String uid,
      String keyId) {}

  /** The calls of a method by programs whose user agent starts like this. */
  List<Seen> of(String method, String userAgent) {
    return calls.stream()
        .filter(call -> call.method().equals(method) && call.caller().startsWith(userAgent))
        .toList();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q request) {
        calls.add(
            new Seen(
                String.valueOf(call.getMethodDescriptor().getBareMethodName()),
                header(headers, "user-agent"),
                String.valueOf(call.getAuthority()),
                header(headers, "content-type"),
                header(headers, "grpc-timeout"),
                new TreeSet<>(headers.keys()),
                request instanceof EncryptRequest encrypt
                    ? encrypt.getUid()
                    : request instanceof DecryptRequest decrypt ? decrypt.getUid() : "",
                request instanceof DecryptRequest decrypt ? decrypt.getKeyId() : ""));
        super.onMessage(request);
      }
    };
  }

  private static String header(Metadata headers, String name) {
    return String.valueOf(headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
  }
}
