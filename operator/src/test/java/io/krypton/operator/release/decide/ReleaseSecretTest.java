// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.krypton.api.Labels;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReleaseSecretTest {

  @Test
  void labels_and_age_tell_the_revision() {
    var metadata =
        secret(
            Map.of(
                "owner",
                "helm",
                "name",
                "tenant-acme-edge",
                "status",
                "pending-upgrade",
                "version",
                "7",
                Labels.INSTANCE,
                "us",
                Labels.REVISION,
                "7",
                Labels.OWNER_UID,
                "u-1"));
    var revision = ReleaseSecret.revision(metadata).orElseThrow();
    assertThat(revision.version()).isEqualTo(7);
    assertThat(revision.status()).isEqualTo(ReleaseStatus.PENDING_UPGRADE);
    assertThat(revision.instance()).isEqualTo("us");
    assertThat(revision.ownerUid()).isEqualTo("u-1");
    assertThat(revision.fingerprintLabel()).isNull();
    assertThat(revision.uid()).isEqualTo("uid-of-the-secret");
    assertThat(ReleaseSecret.release(metadata)).contains("tenant-acme-edge");
  }

  @Test
  void other_secrets_are_no_revisions() {
    assertThat(ReleaseSecret.revision(new ObjectMeta())).isEmpty();
    assertThat(
            ReleaseSecret.revision(
                secret(Map.of("owner", "me", "status", "deployed", "version", "1"))))
        .isEmpty();
    assertThat(
            ReleaseSecret.revision(
                secret(Map.of("owner", "helm", "status", "deployed", "version", "x"))))
        .isEmpty();
    assertThat(ReleaseSecret.release(secret(Map.of("name", "x")))).isEmpty();
  }

  @Test
  void a_status_of_a_later_helm_is_unknown_not_an_error() {
    var metadata = secret(Map.of("owner", "helm", "status", "pondering", "version", "1"));
    assertThat(ReleaseSecret.revision(metadata).orElseThrow().status())
        .isEqualTo(ReleaseStatus.UNKNOWN);
  }

  @Test
  void a_release_belongs_to_its_uid_or_by_name_to_who_comes_after_a_dead_owner() {
    var owner = new ReleaseOwner("u-1", new ReleaseName("tenant-acme-edge"));
    assertThat(owner.owns("renamed", ownedBy("u-1"), uid -> true)).isTrue();
    assertThat(owner.owns("tenant-acme-edge", ownedBy("u-2"), uid -> true)).isFalse();
    assertThat(owner.owns("tenant-acme-edge", ownedBy("u-2"), uid -> false)).isTrue();
    assertThat(owner.owns("other", ownedBy("u-2"), uid -> false)).isFalse();
    var unlabelled = new Revision(1, ReleaseStatus.DEPLOYED, Map.of(), "uid");
    assertThat(owner.owns("tenant-acme-edge", unlabelled, uid -> true)).isTrue();
    assertThat(owner.owns("other", unlabelled, uid -> true)).isFalse();
  }

  private static Revision ownedBy(String uid) {
    return new Revision(1, ReleaseStatus.DEPLOYED, Map.of(Labels.OWNER_UID, uid), "uid");
  }

  private static ObjectMeta secret(Map<String, String> labels) {
    return new ObjectMetaBuilder().withLabels(labels).withUid("uid-of-the-secret").build();
  }
}
