// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ClusterFailure.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterFailureTest {

  static Stream<Arguments> causes() {
    return Stream.of(
        argumentSet("refused connection", new ConnectException(), Kind.NO_CONNECTION),
        argumentSet(
            "unknown host",
            initCause(new ConnectException(), new UnresolvedAddressException()),
            Kind.NO_CONNECTION),
        argumentSet("broken connection", new IOException("reset"), Kind.NO_CONNECTION),
        argumentSet("late answer", new HttpTimeoutException("late"), Kind.TIMEOUT),
        argumentSet("late body", new TimeoutException(), Kind.TIMEOUT),
        argumentSet("handshake", new SSLHandshakeException("PKIX"), Kind.TLS),
        argumentSet(
            "handshake below a plain exception",
            new IOException("x", new SSLHandshakeException("PKIX")),
            Kind.TLS),
        argumentSet(
            "below the library's exception",
            new KubernetesClientException("x", new IOException("reset")),
            Kind.NO_CONNECTION),
        argumentSet("401", status(401), Kind.CREDENTIALS_REFUSED),
        argumentSet("403", status(403), Kind.CREDENTIALS_REFUSED),
        argumentSet("500", status(500), Kind.BAD_ANSWER),
        argumentSet("a bug", new IllegalStateException("x"), Kind.BAD_ANSWER));
  }

  @ParameterizedTest(name = "{argumentSetName}")
  @MethodSource("causes")
  void causes_are_classified_by_type_and_code_also_inside_wrappers(Throwable cause, Kind kind) {
    assertThat(ClusterFailure.of(cause).kind()).isEqualTo(kind);
    assertThat(ClusterFailure.of(new ExecutionException(cause)).kind()).isEqualTo(kind);
  }

  @Test
  void a_refused_connection_is_told_in_words_that_people_know() {
    var refused = initCause(new ConnectException(), new ClosedChannelException());

    assertThat(ClusterFailure.of(refused))
        .isEqualTo(new ClusterFailure(Kind.NO_CONNECTION, "connection refused or lost"));
  }

  @Test
  void a_message_is_one_bounded_line() {
    assertThat(new ClusterFailure(Kind.BAD_ANSWER, "first\nsecond").message()).isEqualTo("first");
    assertThat(new ClusterFailure(Kind.BAD_ANSWER, "x".repeat(5000)).message())
        .hasSizeLessThan(300);
  }

  private static Throwable initCause(Throwable thrown, Throwable cause) {
    return thrown.initCause(cause);
  }

  private static KubernetesClientException status(int code) {
    return new KubernetesClientException(new StatusBuilder().withCode(code).build());
  }
}
