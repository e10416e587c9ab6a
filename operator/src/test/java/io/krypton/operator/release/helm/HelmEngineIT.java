// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each engine on a real API server keeps the contract that the fake is held to. */
@ExtendWith(ControlPlaneExtension.class)
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class HelmEngineIT extends HelmClientContract {
  private final Engine which;
  private RealHelm helm;

  HelmEngineIT(Engine which) {
    this.which = which;
  }

  @BeforeEach
  void start(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    helm = RealHelm.in(namespace, directory, which);
  }

  @AfterEach
  void stop() {
    if (helm != null) {
      helm.close();
    }
  }

  @Override
  protected HelmClient helm() {
    return helm.client();
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
