// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceRulesTest {
  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-", "openshift", "openshift-etcd"})
  void system_namespaces_are_reserved(String namespace) {
    assertThat(NamespaceRules.isReserved(namespace)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"defaults", "kube", "kubernetes", "acme", "my-openshift"})
  void other_namespaces_are_free(String namespace) {
    assertThat(NamespaceRules.isReserved(namespace)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "0",
        "a-b",
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
      })
  void a_dns_label_can_be_a_namespace(String name) {
    assertThat(NamespaceRules.isLabel(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-a",
        "a-",
        "A",
        "a.b",
        "a_b",
        "a\n",
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
      })
  void anything_else_cannot(String name) {
    assertThat(NamespaceRules.isLabel(name)).isFalse();
  }
}
