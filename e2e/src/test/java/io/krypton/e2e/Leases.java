// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.sandbox.ControlPlane;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The heartbeats of reporters that a test plays. */
final class Leases {
  private static final String NAMESPACE = "krypton-system";

  private Leases() {}

  /** Made unless another test has done so: control planes are shared. */
  static void namespace(ControlPlane plane) {
    plane
        .admin()
        .apply(
            "/api/v1/namespaces/" + NAMESPACE,
            "e2e",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(NAMESPACE))
        .orThrow();
  }

  /**
   * One heartbeat of a node.
   *
   * @param number makes each differ from the one before, however fast they come
   */
  static void renew(ControlPlane plane, String target, String node, int number) {
    var name = "kms-%s-%s".formatted(target, node);
    plane
        .admin()
        .apply(
            "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(NAMESPACE, name),
            "kms-health-reporter-" + node,
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
             "metadata":{"name":"%s","labels":{"mesh.openkcm.io/kms-target":"%s"}},
             "spec":{"holderIdentity":"%s_0","leaseDurationSeconds":3600,"renewTime":"%s"}}
            """
                .formatted(
                    name,
                    target,
                    node,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).plusNanos(number * 1000L + 1000)))
        .orThrow();
  }
}
