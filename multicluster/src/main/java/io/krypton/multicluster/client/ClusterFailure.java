// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a cluster did not do what was asked: a class to decide on and one line for people. */
public record ClusterFailure(Kind kind, String message) {

  /** The kind of failure. */
  public enum Kind {
    /** No connection, or it broke. */
    NO_CONNECTION,
    /** Connected or not, no answer came in time. */
    TIMEOUT,
    /** The server's certificate or the handshake was not acceptable. */
    TLS,
    /** 401 or 403: somebody answers, but not to these credentials. */
    CREDENTIALS_REFUSED,
    /** An answer that no healthy API server gives. */
    BAD_ANSWER,
    /** The cluster answers, but something we need there is not in place. */
    NOT_PREPARED
  }

  private static final int MAX_MESSAGE = 256;

  public ClusterFailure {
    message = oneLine(message);
  }

  static ClusterFailure ofStatus(int status) {
    return switch (status) {
      case 401 ->
          new ClusterFailure(
              Kind.CREDENTIALS_REFUSED,
              "the API server refused the credentials (401); store a kubeconfig with valid ones");
      case 403 ->
          new ClusterFailure(
              Kind.CREDENTIALS_REFUSED,
              "the credentials may not even read /version (403); grant them access");
      default ->
          new ClusterFailure(Kind.BAD_ANSWER, "the API server answered /version with " + status);
    };
  }

  /** Classifies by type and status code; never by message. */
  public static ClusterFailure of(Throwable thrown) {
    var cause = root(thrown);
    return switch (cause) {
      case KubernetesClientException e when e.getCode() == 401 || e.getCode() == 403 ->
          new ClusterFailure(Kind.CREDENTIALS_REFUSED, describe(e));
      case KubernetesClientException e -> new ClusterFailure(Kind.BAD_ANSWER, describe(e));
      case SSLException e -> new ClusterFailure(Kind.TLS, describe(e));
      case HttpTimeoutException e -> new ClusterFailure(Kind.TIMEOUT, "no answer in time");
      case TimeoutException e -> new ClusterFailure(Kind.TIMEOUT, "no answer in time");
      case UnknownHostException e -> unresolved();
      case UnresolvedAddressException e -> unresolved();
      case ConnectException e -> new ClusterFailure(Kind.NO_CONNECTION, "connection refused");
      // What the JDK's client puts beneath a refused connection.
      case ClosedChannelException e ->
          new ClusterFailure(Kind.NO_CONNECTION, "connection refused or lost");
      case IOException e -> new ClusterFailure(Kind.NO_CONNECTION, describe(e));
      default -> new ClusterFailure(Kind.BAD_ANSWER, describe(cause));
    };
  }

  /** The first exception that says something, below the wrappers of futures and of the library. */
  private static Throwable root(Throwable thrown) {
    var cause = thrown.getCause();
    boolean wraps =
        thrown instanceof ExecutionException
            || thrown instanceof CompletionException
            || (thrown instanceof KubernetesClientException e && e.getStatus() == null)
            || thrown instanceof ConnectException
            || thrown.getClass() == IOException.class;
    return wraps && cause != null ? root(cause) : thrown;
  }

  private static ClusterFailure unresolved() {
    return new ClusterFailure(Kind.NO_CONNECTION, "the server's host name does not resolve");
  }

  private static String describe(Throwable thrown) {
    var message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  private static String oneLine(@Nullable String text) {
    var line = text == null ? "" : text.lines().findFirst().orElse("").strip();
    return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
  }
}
