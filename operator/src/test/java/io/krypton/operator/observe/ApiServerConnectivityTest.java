// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.RequestObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiServerConnectivityTest {
  private final ApiServerConnectivity contact = new ApiServerConnectivity("home");

  @Test
  void nothing_heard_yet_is_not_connected() {
    assertThat(contact.isConnected()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 401, 403, 404, 409, 422, 429, 500})
  void whatever_an_api_server_says_proves_that_it_is_there(int code) {
    contact.completed("home", "GET", code);
    assertThat(contact.isConnected()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {RequestObserver.NO_ANSWER, 502, 503, 504})
  void silence_and_those_who_speak_for_it_end_the_contact_until_the_next_answer(int code) {
    contact.completed("home", "WATCH", 200);
    contact.completed("home", "GET", code);
    assertThat(contact.isConnected()).isFalse();
    contact.completed("home", "GET", 200);
    assertThat(contact.isConnected()).isTrue();
  }

  @Test
  void other_clusters_do_not_count() {
    contact.completed("edge", "GET", 200);
    assertThat(contact.isConnected()).isFalse();
    contact.completed("home", "GET", 200);
    contact.completed("edge", "GET", RequestObserver.NO_ANSWER);
    assertThat(contact.isConnected()).isTrue();
  }
}
