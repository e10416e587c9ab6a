// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmClientContract;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestOperations;
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
  protected HelmClient helm() {
    return helm.cli();
  }

  @Override
  protected TestOperations release() {
    return helm.release("tenant-acme-edge");
  }

  @Override
  protected boolean hangs(ReleaseKey release) {
    return helm.waitsForHook(release.name().value());
  }

  @Override
  protected ReleaseHistory history(ReleaseKey release) {
    return helm.history(release.name().value());
  }
}
