// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRedactorTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "secrets",
        "pandas.awesome.bears.example",
        "validatingadmissionpolicybindings.admissionregistration.k8s.io",
        "apiserver.config.k8s.io/v1",
        "EncryptionConfiguration",
        "unix:///var/run/kmsplugin/socket.sock",
        "unix:///var/run/KMS/v1/kms.sock",
        "0b0e6a1c-4f51-4c57-9d52-55a7a9d0c9d1",
        "kms-provider-2024",
        "01234567890123456789",
      })
  void ordinary_names_are_shown(String text) {
    assertThat(KeyRedactor.redact(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c2VjcmV0IGlzIHNlY3VyZQ==",
        "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
        "name: dGhpcyBpcyBwYXNzd29yZA==",
        "/9j4AAQSkZJRgABAQEASA+",
      })
  void what_may_be_a_key_is_not_shown(String text) {
    assertThat(KeyRedactor.redact(text)).isEqualTo("REDACTED");
  }
}
