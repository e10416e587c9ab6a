// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The real Helm on a real API server keeps the contract that the fake is held to. */
@ExtendWith(ControlPlaneExtension.class)
class HelmCliIT extends HelmClientContract {
  private RealHelm helm;

  @BeforeEach
  void start(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    helm = RealHelm.in(namespace, directory);
  }

  @AfterEach
  void stop() {
    helm.close();
  }

  @Override
  HelmClient helm() {
    return helm.cli();
  }

  @Override
  TestOperations release() {
    return helm.release("tenant-acme-edge");
  }

  @Override
  boolean hangs(ReleaseKey release) {
    return helm.waitsForHook(release.name().value());
  }

  @Override
  ReleaseHistory history(ReleaseKey release) {
    return helm.history(release.name().value());
  }
}
