// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.krypton.operator.release.inventory.ManagedFields.ForeignWriteCheck;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignWriteCheckTest {
  private static final String EARLIER = "2026-01-01T12:00:00Z";
  private static final String LATER = "2026-01-01T12:00:01Z";

  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of("nobody is named", List.of(), true),
        Arguments.of("only Helm", List.of(by("helm", "", LATER)), false),
        Arguments.of(
            "another before Helm",
            List.of(by("kubectl", "", EARLIER), by("helm", "", LATER)),
            false),
        Arguments.of(
            "another after Helm", List.of(by("helm", "", EARLIER), by("kubectl", "", LATER)), true),
        Arguments.of(
            "another in the same second", List.of(by("helm", "", LATER), by("x", "", LATER)), true),
        Arguments.of(
            "a status after Helm",
            List.of(by("helm", "", EARLIER), by("controller", "status", LATER)),
            false),
        Arguments.of(
            "a scaling, which leaves no time",
            List.of(by("helm", "", LATER), by("kubectl", "scale", null)),
            true),
        Arguments.of(
            "Helm was given fields and has not applied since",
            List.of(by("helm", "", ManagedFields.APPLY_PENDING_TIME)),
            true),
        Arguments.of("not Helm at all", List.of(by("kubectl", "", EARLIER)), true));
  }

  private static ManagedFieldsEntry by(String manager, String subresource, @Nullable String time) {
    return new ManagedFieldsEntryBuilder()
        .withManager(manager)
        .withSubresource(subresource)
        .withTime(time)
        .build();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("rules")
  void who_wrote_last_decides(String rule, List<ManagedFieldsEntry> writers, boolean suspect) {
    var metadata = new ObjectMetaBuilder().withManagedFields(writers).build();
    assertThat(ForeignWriteCheck.hasForeignWrite(metadata)).isEqualTo(suspect);
  }
}
