// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageRequestTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | {}",
        "verbose | {verbose=[]}",
        "verbose= | {verbose=[]}",
        "exclude=a%2Fb&exclude=c+d | {exclude=[a/b, c d]}",
        "x=%zz&y=1 | {y=[1]}",
        "x=1;y=2&z=3 | {z=[3]}",
        "&&=e | {=[e]}",
      })
  void a_query_is_read_as_go_does(String query, String parameters) {
    assertThat(request(query).parameters()).hasToString(parameters);
  }

  @Test
  void headers_have_no_case_and_the_text_form_shows_no_credentials() {
    assertThat(request("token=x").header("AUTHORIZATION")).containsExactly("Bearer y");
    assertThat(request("token=x").header("Accept")).isEmpty();
    assertThat(request("token=x")).hasToString("GET /p");
  }

  private static PageRequest request(String query) {
    return new PageRequest(
        "GET",
        "/p",
        query,
        Map.of("authorization", List.of("Bearer y")),
        InetAddress.getLoopbackAddress());
  }
}
