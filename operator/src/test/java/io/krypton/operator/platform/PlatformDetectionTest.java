// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.platform.PlatformDetector.Discovery;
import io.krypton.operator.platform.PlatformDetector.Discovery.DiscoveryResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformDetectionTest {
  /** v = version, g = group; y, n and x for yes, no and an error; then what is known. */
  @ParameterizedTest(name = "{0} means {1}")
  @CsvSource({
    "vy,OPENSHIFT",
    "vn,UNKNOWN",
    "vn vn,UNKNOWN",
    "vn vn vn gn,KUBERNETES",
    "vn vn vn gy,OPENSHIFT",
    "vn vn vn gx,UNKNOWN",
    "vx,UNKNOWN",
    "vn vn vx vn vn,UNKNOWN",
    "vn vn vx vn vn vn gn,KUBERNETES",
    "vn vn vn gx vn,UNKNOWN",
    "vx vx vx vx vy,OPENSHIFT"
  })
  void p2_p3_only_repeated_answers_of_a_healthy_server_decide(String answers, String known) {
    var platformDetection = PlatformDetection.BEGIN;
    var result = "UNKNOWN";
    for (var answer : answers.split(" ")) {
      var given = answer(answer.charAt(1));
      var step =
          answer.charAt(0) == 'v'
              ? platformDetection.onVersion(given)
              : platformDetection.onGroup(given);
      switch (step) {
        case PlatformDetection.Step.Decided(var platform) -> result = platform.name();
        case PlatformDetection.Step.Again(var next) -> platformDetection = next;
        case PlatformDetection.Step.AskGroup(var next) -> platformDetection = next;
      }
    }
    assertThat(result).isEqualTo(known);
  }

  @ParameterizedTest(name = "after {0} errors")
  @CsvSource({"1,1000", "2,2000", "5,16000", "6,30000", "60,30000"})
  void p4_errors_are_retried_ever_more_slowly(int failures, long millis) {
    var platformDetection = new PlatformDetection(0, failures);
    var delay = platformDetection.delay(Duration.ofSeconds(5), new Random(failures));
    assertThat(delay)
        .isBetween(Duration.ofMillis(millis * 8 / 10), Duration.ofMillis(millis * 12 / 10));
  }

  @Test
  void a_decision_is_told_once_and_holds() throws Exception {
    var discovery = new Scripted("n", "x", "n", "n", "n");
    var changes = new AtomicInteger();
    try (var detector =
        PlatformDetector.detecting(discovery, Duration.ofMillis(1), changes::incrementAndGet)) {
      assertThat(detector.state()).isInstanceOf(PlatformState.Unknown.class);
      detector.start();
      await().until(() -> detector.state().equals(new PlatformState.Detected(Platform.KUBERNETES)));
      assertThat(changes).hasValue(2);
      assertThat(discovery.versions).isEmpty();
    }
  }

  @Test
  void p1_what_is_given_is_never_asked_for() {
    try (var detector = PlatformDetector.configured(Platform.OPENSHIFT)) {
      detector.start();
      assertThat(detector.state().known()).contains(Platform.OPENSHIFT);
    }
  }

  private static DiscoveryResult answer(char letter) {
    return switch (letter) {
      case 'y' -> new DiscoveryResult.Present();
      case 'n' -> new DiscoveryResult.Absent();
      default -> new DiscoveryResult.Failed("an error");
    };
  }

  private static final class Scripted implements Discovery {
    final Deque<String> versions = new ArrayDeque<>();

    Scripted(String... versions) {
      this.versions.addAll(List.of(versions));
    }

    @Override
    public DiscoveryResult checkVersion() {
      return answer(versions.removeFirst().charAt(0));
    }

    @Override
    public DiscoveryResult checkGroup() {
      return new DiscoveryResult.Absent();
    }
  }
}
