// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import org.junit.jupiter.api.Test;

class FakeHelmTest extends HelmClientContract {
  private final FakeHelm helm = new FakeHelm();

  @Override
  protected HelmClient helm() {
    return helm;
  }

  @Override
  protected TestOperations release() {
    return TestOperations.on("edge", "acme", "tenant-acme-edge", "");
  }

  @Override
  protected ReleaseHistory history(ReleaseKey release) {
    return helm.history(release);
  }

  @Override
  protected boolean hangs(ReleaseKey release) {
    return history(release).latest().filter(it -> it.status().isPending()).isPresent();
  }

  @Test
  void a_scripted_answer_changes_nothing() {
    helm.answerNext(new HelmResult.Unreachable("no route"));
    assertThat(helm.run(release().install(TestCharts.CONFIGMAP)))
        .isEqualTo(new HelmResult.Unreachable("no route"));
    assertThat(helm.history(release().target().release()).revisions()).isEmpty();
    assertThat(helm.operations()).hasSize(1);
  }
}
