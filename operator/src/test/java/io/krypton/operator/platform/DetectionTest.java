package io.krypton.operator.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.platform.Discovery.Answer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DetectionTest {
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
    var detection = Detection.BEGIN;
    var result = "UNKNOWN";
    for (var answer : answers.split(" ")) {
      var given = answer(answer.charAt(1));
      var step = answer.charAt(0) == 'v' ? detection.onVersion(given) : detection.onGroup(given);
      switch (step) {
        case Detection.Step.Decided(var platform) -> result = platform.name();
        case Detection.Step.Again(var next) -> detection = next;
        case Detection.Step.AskGroup(var next) -> detection = next;
      }
    }
    assertThat(result).isEqualTo(known);
  }

  @ParameterizedTest(name = "after {0} errors")
  @CsvSource({"1,1000", "2,2000", "5,16000", "6,30000", "60,30000"})
  void p4_errors_are_retried_ever_more_slowly(int failures, long millis) {
    var detection = new Detection(0, failures);
    assertThat(detection.pause(Duration.ofSeconds(5), 0.5)).isEqualTo(Duration.ofMillis(millis));
    assertThat(detection.pause(Duration.ofSeconds(5), 1))
        .isEqualTo(Duration.ofMillis(millis * 12 / 10));
  }

  @Test
  void a_decision_is_told_once_and_holds() throws Exception {
    var discovery = new Scripted("n", "x", "n", "n", "n");
    var changes = new AtomicInteger();
    try (var detector =
        PlatformDetector.asking(discovery, Duration.ofMillis(1), changes::incrementAndGet)) {
      assertThat(detector.state()).isInstanceOf(PlatformState.Unknown.class);
      detector.start();
      await().until(() -> detector.state().equals(new PlatformState.Detected(Platform.KUBERNETES)));
      assertThat(changes).hasValue(2);
      assertThat(discovery.versions).isEmpty();
    }
  }

  @Test
  void p1_what_is_given_is_never_asked_for() {
    try (var detector = PlatformDetector.given(Platform.OPENSHIFT)) {
      detector.start();
      assertThat(detector.state().known()).contains(Platform.OPENSHIFT);
    }
  }

  @ParameterizedTest(name = "KRYPTON_PLATFORM={0} IS_OPENSHIFT={1}")
  @CsvSource({
    "'','',,false",
    "openshift,'',OPENSHIFT,false",
    "kubernetes,true,KUBERNETES,true",
    "openshift,true,OPENSHIFT,false",
    "'',true,OPENSHIFT,false",
    "'',false,KUBERNETES,false",
    "'',True,,true",
    "'',1,,true",
    "OpenShift,'',,true",
    "eks,true,OPENSHIFT,true"
  })
  void p7_only_exact_words_count(String name, String flag, Platform known, boolean warns) {
    var handed = HandedOver.in(Map.of("KRYPTON_PLATFORM", name, "IS_OPENSHIFT", flag));
    assertThat(handed.platform().orElse(null)).isEqualTo(known);
    assertThat(handed.warning().isPresent()).isEqualTo(warns);
  }

  private static Answer answer(char letter) {
    return switch (letter) {
      case 'y' -> new Answer.Yes();
      case 'n' -> new Answer.No();
      default -> new Answer.Failed("an error");
    };
  }

  private static final class Scripted implements Discovery {
    final Deque<String> versions = new ArrayDeque<>();

    Scripted(String... versions) {
      this.versions.addAll(List.of(versions));
    }

    @Override
    public Answer version() {
      return answer(versions.removeFirst().charAt(0));
    }

    @Override
    public Answer group() {
      return new Answer.No();
    }
  }
}
