// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ApiFailureTest {
  @Test
  void an_answer_is_told_in_the_words_of_the_server() {
    var status = new StatusBuilder().withMessage("storage is (re)initializing").build();
    var refused =
        new KubernetesClientException(
            "Failure executing: GET at: https://… " + status, 429, status);

    assertThat(ApiFailure.of(new CompletionException(refused)))
        .isEqualTo(new ApiFailure(429, "HTTP 429", "storage is (re)initializing"));
  }

  @Test
  void an_answer_without_words_is_told_in_those_of_the_library() {
    assertThat(
            ApiFailure.of(new KubernetesClientException("the API server answered 503", 503, null)))
        .isEqualTo(new ApiFailure(503, "HTTP 503", "the API server answered 503"));
  }

  @Test
  void without_an_answer_the_reason_is_what_happened_to_the_connection() {
    var thrown =
        new KubernetesClientException("x", new IOException(new ConnectException("refused")));

    assertThat(ApiFailure.of(thrown)).isEqualTo(new ApiFailure(0, "ConnectException", "refused"));
  }
}
