// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.junit;

import io.krypton.sandbox.ControlPlane;

/** A namespace that exists for one test only. */
public record TestNamespace(ControlPlane controlPlane, String name) implements AutoCloseable {

  static TestNamespace create(ControlPlane controlPlane) {
    var created =
        controlPlane
            .admin()
            .post(
                "/api/v1/namespaces",
                """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": "test-"}}
                """)
            .orThrow();
    return new TestNamespace(controlPlane, created.at("/metadata/name").textValue());
  }

  /** The path of the namespace in the core API. */
  public String path() {
    return "/api/v1/namespaces/" + name;
  }

  /** Asks for the deletion and does not wait: the next test has another namespace. */
  @Override
  public void close() {
    controlPlane.admin().delete(path());
  }
}
