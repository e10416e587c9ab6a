// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Reports for tests. */
final class Samples {
  static final Instant CHECKED = Instant.parse("2026-05-08T12:34:56Z");
  static final Duration INTERVAL = Duration.ofSeconds(30);

  private Samples() {}

  static PluginReport healthy(long keyId) {
    return PluginReport.healthy(KeyId.of(keyId), CHECKED, "kek-" + keyId);
  }

  static PluginReport failing(long keyId, ReportedHealth health, String cause) {
    return PluginReport.failing(KeyId.of(keyId), health, CHECKED, "kek-" + keyId, cause, null);
  }

  static NodeReport report(PluginReport... plugins) {
    return NodeReport.of("master-0", INTERVAL, null, List.of(plugins));
  }

  /** Any report that a reporter may write. */
  static NodeReport anyReport(Random random) {
    var plugins = new ArrayList<PluginReport>();
    int count = 1 + random.nextInt(random.nextInt(8) == 0 ? ReportLimits.MAX_PLUGINS : 4);
    for (int i = 0; i < count; i++) {
      plugins.add(anyPlugin(KeyId.of(i * 7L + random.nextInt(7)), random));
    }
    var lease =
        random.nextBoolean()
            ? null
            : new LeaseName("krypton-system", ReportNames.lease("kmshealth", "n.example"));
    return NodeReport.of(
        "n.example", Duration.ofMillis(1 + random.nextInt(900_000)), lease, plugins);
  }

  private static PluginReport anyPlugin(KeyId keyId, Random random) {
    var checked = CHECKED.plusSeconds(random.nextInt(100_000));
    var remoteKeyId = random.nextInt(5) == 0 ? null : anyText(random, 20);
    var role =
        switch (random.nextInt(3)) {
          case 0 -> ReportedRole.WRITE;
          case 1 -> ReportedRole.READ;
          default -> null;
        };
    if (random.nextBoolean()) {
      var health = random.nextBoolean() ? ReportedHealth.ERROR : ReportedHealth.UNHEALTHY;
      var detail = random.nextBoolean() ? null : anyLine(random);
      return PluginReport.failing(keyId, health, checked, remoteKeyId, "Timeout", detail)
          .withRole(role);
    }
    var healthy = PluginReport.healthy(keyId, checked, remoteKeyId).withRole(role);
    if (random.nextBoolean()) {
      return healthy;
    }
    var hashes =
        Stream.generate(() -> KeyHash.of(anyText(random, 9)).text()).limit(1 + random.nextInt(4));
    return healthy.withUnreadableKeys(
        UnreadableKeys.named(hashes), random.nextBoolean() ? null : anyLine(random));
  }

  /** A detail has no line break; everything else is possible. */
  private static String anyLine(Random random) {
    return anyText(random, 60).replace('\n', ' ').replace('\r', ' ') + ".";
  }

  /** Any characters, also beyond the BMP, and those that a format may trip over. */
  private static String anyText(Random random, int most) {
    var text = new StringBuilder();
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      int point =
          switch (random.nextInt(4)) {
            case 0 -> " =%\n\r\"[]{},:\u2028".charAt(random.nextInt(13));
            case 1 -> Character.MIN_SUPPLEMENTARY_CODE_POINT + random.nextInt(0x1000);
            case 2 -> random.nextInt(0xd800);
            default -> 'a' + random.nextInt(26);
          };
      text.appendCodePoint(point);
    }
    return text.toString();
  }
}
