// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.health.ReportDebounce.PublishedState;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.probe.ProbeListener.PluginState;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The prober with real sockets and the real clock. */
class ProberTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  @TempDir Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Map<String, PluginState<ReportDebounce>> states = new ConcurrentHashMap<>();
  private final List<PluginProbeResult> results = new CopyOnWriteArrayList<>();
  private final AtomicInteger ticks = new AtomicInteger();

  @AfterEach
  void stop() throws Exception {
    for (var resource : opened.reversed()) {
      resource.close();
    }
  }

  @ParameterizedTest(name = "at {0}")
  @ValueSource(strings = {"path", "abstract name"})
  void a_killed_plugin_is_told_within_seconds_and_its_return_too_although_the_tick_is_far(
      String kind) {
    var plugin = start(kind.equals("path") ? path("kms") : abstractName(), new ScriptedKmsV2());
    var prober = prober(LONG);
    prober.start();
    watch(prober, "1", plugin.endpoint(), LONG);
    await().atMost(20, SECONDS).until(() -> deepCount("1") == 1 && !failing("1"));

    plugin.kill();
    await().atMost(20, SECONDS).until(() -> failing("1"));
    assertThat(cause("1")).isEqualTo(kind.equals("path") ? "SocketMissing" : "SocketRefused");

    plugin.restart();
    await().atMost(20, SECONDS).until(() -> !failing("1"));
    assertThat(results).last().extracting(PluginProbeResult::level).isEqualTo(ProbeLevel.DEEP);
  }

  @Test
  void a_plugin_that_starts_after_us_is_found_at_once() {
    var socket = path("late");
    var prober = prober(LONG);
    prober.start();
    watch(prober, "1", socket, LONG);
    await().atMost(20, SECONDS).until(() -> results.size() == 1);

    start(socket, new ScriptedKmsV2());
    await().atMost(20, SECONDS).until(() -> deepCount("1") == 1);
    assertThat(failing("1")).isFalse();
  }

  @Test
  void one_of_three_plugins_hangs_and_the_others_keep_their_rhythm() {
    var interval = Duration.ofMillis(200);
    var hanging = new ScriptedKmsV2().onStatus(Reply.never());
    var prober = prober(interval);
    watch(prober, "1", start(path("one"), new ScriptedKmsV2()).endpoint(), interval);
    watch(prober, "2", start(path("two"), hanging).endpoint(), interval);
    watch(prober, "3", start(path("three"), new ScriptedKmsV2()).endpoint(), interval);
    prober.start();

    await().atMost(30, SECONDS).until(() -> statusCount("2") >= 1);
    assertThat(resultsBeforeTheFirstOf("2"))
        .as("several of each before the one that hangs has its first")
        .satisfies(
            before -> {
              assertThat(Collections.frequency(before, "1")).isGreaterThan(2);
              assertThat(Collections.frequency(before, "3")).isGreaterThan(2);
            });
    assertThat(of("1")).allMatch(PluginProbeResult::isGood);
  }

  @Test
  void a_tick_ends_when_every_plugin_has_a_result() {
    var prober = prober(Duration.ofMillis(300));
    watch(prober, "1", start(path("one"), new ScriptedKmsV2()).endpoint(), LONG);
    watch(prober, "2", path("nobody"), LONG);
    prober.start();
    await().atMost(20, SECONDS).until(() -> ticks.get() >= 3);
    var asked = statusCount("1");
    assertThat(asked)
        .as("once a tick, and a few times because of the start")
        .isBetween(3, 9 + ticks.get());
    assertThat(prober.lastAdvance()).isPositive();
  }

  @Test
  void a_plugin_is_never_asked_twice_at_once() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var slow =
        new ScriptedKmsV2()
            .onStatus(
                (request, answer) -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  await().pollDelay(Duration.ofMillis(250)).until(() -> true);
                  running.decrementAndGet();
                  answer.onNext(ScriptedPlugin.ok("key-1"));
                  answer.onCompleted();
                });
    var prober = prober(Duration.ofMillis(100));
    watch(prober, "1", start(path("slow"), slow).endpoint(), LONG);
    prober.start();
    await().atMost(30, SECONDS).until(() -> statusCount("1") >= 4);
    prober.close();
    assertThat(most).hasValue(1);
  }

  @Test
  void a_slow_round_trip_does_not_delay_a_tick() {
    var interval = Duration.ofMillis(200);
    var prober = prober(interval);
    var plugin = new ScriptedKmsV2().onEncrypt(Reply.never());
    watch(prober, "1", start(path("kms"), plugin).endpoint(), interval);
    prober.start();
    await().atMost(20, SECONDS).until(() -> deepCount("1") >= 1);
    assertThat(statusCount("1")).as("during one timeout of the round trip").isGreaterThan(2);
  }

  @Test
  void a_crash_loop_gets_ten_fast_probes_a_minute_and_not_more() {
    var cutting = new ScriptedKmsV2();
    var plugin = start(path("kms"), cutting);
    var prober = prober(LONG);
    prober.start();
    watch(prober, "1", plugin.endpoint(), LONG);
    for (int i = 0; i < 25; i++) {
      var before = statusCount("1");
      plugin.kill();
      plugin.restart();
      if (i < 5) {
        await().atMost(20, SECONDS).until(() -> statusCount("1") > before);
      }
    }
    await().during(Duration.ofSeconds(1)).atMost(20, SECONDS).until(() -> statusCount("1") <= 25);
  }

  @Test
  void a_forgotten_plugin_is_left_alone_and_its_connection_closed() {
    var prober = prober(Duration.ofMillis(100));
    watch(prober, "1", start(path("kms"), new ScriptedKmsV2()).endpoint(), LONG);
    prober.start();
    await().atMost(20, SECONDS).until(() -> statusCount("1") >= 2);
    prober.unwatch("1");
    await().atMost(20, SECONDS).until(() -> ticksStand(prober));
    var count = statusCount("1");
    await()
        .during(Duration.ofMillis(400))
        .atMost(20, SECONDS)
        .until(() -> statusCount("1") == count);
  }

  @Test
  void closing_ends_probes_under_way_without_a_result() throws Exception {
    var prober = prober(LONG);
    watch(
        prober,
        "1",
        start(path("kms"), new ScriptedKmsV2().onStatus(Reply.never())).endpoint(),
        LONG);
    prober.start();
    await().atMost(20, SECONDS).until(() -> prober.lastAdvance().isPositive());
    var start = System.nanoTime();
    prober.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    assertThat(results).isEmpty();
  }

  private List<String> resultsBeforeTheFirstOf(String name) {
    return results.stream()
        .map(PluginProbeResult::plugin)
        .takeWhile(plugin -> !plugin.equals(name))
        .toList();
  }

  private boolean ticksStand(Prober<ReportDebounce> prober) {
    var before = statusCount("1");
    await().pollDelay(Duration.ofMillis(250)).until(() -> true);
    return statusCount("1") == before && prober.lastAdvance().isPositive();
  }

  private Prober<ReportDebounce> prober(Duration interval) {
    var connections = new PluginConnectionPool();
    opened.add(connections);
    var prober =
        new Prober<>(
            interval,
            connections,
            ProbeTools.standard(),
            new ProbeListener<ReportDebounce>() {
              @Override
              public void onResult(PluginState<ReportDebounce> state, PluginProbeResult result) {
                states.put(result.plugin(), state);
                results.add(result);
              }

              @Override
              public void onTick(long number) {
                ticks.incrementAndGet();
              }
            });
    opened.add(prober);
    return prober;
  }

  private static void watch(
      Prober<ReportDebounce> prober, String name, Endpoint endpoint, Duration interval) {
    var tools = ProbeTools.standard();
    prober.watch(
        new PluginSpec(name, KmsApiVersion.V2, endpoint, TIMEOUT),
        new ReporterProbeSchedule(
            new ReporterProbeSchedule.Settings(interval, Duration.ofMinutes(5)), tools.random()));
  }

  private ScriptedPlugin start(Endpoint endpoint, ScriptedKmsV2 service) {
    var plugin = new ScriptedPlugin(endpoint, service);
    opened.add(plugin);
    return plugin;
  }

  private Endpoint path(String name) {
    return Endpoint.ofAddress(directory.resolve(name + ".sock").toString());
  }

  private static Endpoint abstractName() {
    return Endpoint.ofAddress("@krypton-prober-" + ProcessHandle.current().pid());
  }

  private boolean failing(String name) {
    var state = states.get(name);
    return state != null && state.assessment().failing();
  }

  private String cause(String name) {
    var state = states.get(name);
    return state != null && state.assessment().published() instanceof PublishedState.Failing failing
        ? failing.finding().cause()
        : "";
  }

  private List<PluginProbeResult> of(String name) {
    return results.stream().filter(result -> result.plugin().equals(name)).toList();
  }

  private int statusCount(String name) {
    return (int) of(name).stream().filter(result -> result.level() == ProbeLevel.STATUS).count();
  }

  private int deepCount(String name) {
    return of(name).size() - statusCount(name);
  }
}
