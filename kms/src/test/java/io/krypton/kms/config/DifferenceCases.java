// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.rejected;
import static io.krypton.kms.config.ConfigurationCase.resources;
import static io.krypton.kms.config.ConfigurationCase.undecodable;

import io.krypton.kms.config.EncryptionConfigurations.ConfigurationFile;
import java.util.List;

/** Files on which we decide otherwise or say less than kube-apiserver, on purpose. */
final class DifferenceCases {
  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZg==";

  private DifferenceCases() {}

  static List<ConfigurationCase> all() {
    return List.of(
        undecodable(
                "the internal version, which nobody has documented",
                """
                apiVersion: apiserver.config.k8s.io/__internal
                kind: EncryptionConfiguration
                Resources: [{Resources: [secrets], Providers: [Identity: {}]}]
                """,
                "no kind \"EncryptionConfiguration\" is registered for version"
                    + " \"apiserver.config.k8s.io/__internal\" in scheme"
                    + " \"pkg/runtime/scheme.go:111\"")
            .differingIn(Difference.STRICTER),
        undecodable(
                "an explicit tag for a date",
                kms(
                    "apiVersion: v2, name: !!timestamp 2020-01-01,"
                        + " endpoint: 'unix:///a', timeout: 1ms"),
                "yaml: line 5: the value does not fit its tag !!timestamp")
            .differingIn(Difference.STRICTER),
        undecodable(
                "a bare text in brackets that ends with a colon",
                kms("apiVersion: v2, name: a, timeout: 1ms, endpoint: unix:"),
                "yaml: line 5: a space is missing behind a colon")
            .differingIn(Difference.STRICTER),
        rejected(
                "more than a megabyte",
                resources("[secrets]") + "#".repeat(ConfigurationFile.MAX_BYTES),
                "error while parsing file: error while loading file: encryption provider"
                    + " configuration file \"P\" is larger than 1048576 bytes")
            .differingIn(Difference.STRICTER),
        undecodable(
                "a key for a field name",
                HEAD + "? " + KEY + "\n",
                "strict decoding error: unknown field \"REDACTED\"")
            .differingIn(Difference.MISPLACED_KEY_PRINTED),
        invalid(
                "a key for a resource",
                resources("['" + KEY + "']"),
                "resources[0].resources[0]: Invalid value: \"REDACTED\": resource name should not"
                    + " contain capital letters")
            .differingIn(Difference.MISPLACED_KEY_PRINTED));
  }
}
