// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.serving.ReloadingTls.ReloadListener;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import io.krypton.operator.tls.serving.ServingInputs.TlsInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwapsUnderLoadTest {
  private static final int SWAPS = 100;
  private static final KeyPair KEYS = TestIdentity.keys("secp256r1");

  /** Certificate and profile of a state, so that a mixture of two shows. */
  private static final List<String> SUITES =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");

  @TempDir Path directory;

  @Test
  void a_hundred_swaps_fail_no_handshake_mix_no_states_and_leave_nothing_behind() throws Exception {
    var mount = new KubeletDirectory(directory.resolve("both"));
    swap(mount, 0);
    var inputs =
        new ServingInputs(
            new MountedDirectory(mount.path()),
            new ProfileSource.File(mount.path()),
            Duration.ofSeconds(10));
    var reloads = new AtomicInteger();
    try (var tls =
            new ReloadingTls(inputs, JvmTls.current(), InstantSource.system(), counting(reloads));
        var server = new TlsServer(tls)) {
      var problems = new ConcurrentLinkedQueue<String>();
      var stop = new AtomicBoolean();
      var connections = new AtomicInteger();
      server.connect();
      var handlesBefore = openHandles();
      var clients = new ArrayList<Thread>();
      for (var i = 0; i < 2; i++) {
        clients.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      while (!stop.get()) {
                        try {
                          check(server.connect(), problems);
                          connections.incrementAndGet();
                        } catch (IOException failed) {
                          problems.add(String.valueOf(failed));
                        }
                      }
                    }));
      }
      for (var swap = 1; swap <= SWAPS; swap++) {
        swap(mount, swap);
        tls.reload();
        var seen = server.connect();
        assertThat(seen.subject()).as("after swap %d", swap).isEqualTo("CN=state-" + swap);
        check(seen, problems);
      }
      stop.set(true);
      for (var client : clients) {
        client.join();
      }
      assertThat(problems).isEmpty();
      assertThat(connections).hasPositiveValue();
      assertThat(reloads).hasValue(2 * (SWAPS + 1));
      assertThat(openHandles()).isLessThan(handlesBefore + 30);
    }
  }

  @Test
  void h2_a_connection_from_before_a_swap_gets_its_answer_and_then_ends() throws Exception {
    var mount = new KubeletDirectory(directory.resolve("both"));
    swap(mount, 0);
    var inputs =
        new ServingInputs(
            new MountedDirectory(mount.path()),
            new ProfileSource.File(mount.path()),
            Duration.ofSeconds(10));
    try (var tls =
            new ReloadingTls(
                inputs, JvmTls.current(), InstantSource.system(), counting(new AtomicInteger()));
        var server = new TlsServer(tls);
        var connection = server.open()) {
      assertThat(TlsServer.request(connection)).contains("200 OK");
      swap(mount, 1);
      tls.reload();
      assertThat(TlsServer.request(connection))
          .contains("200 OK")
          .containsIgnoringCase("Connection: close");
      assertThat(connection.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static void check(TlsServer.Seen seen, Queue<String> problems) {
    var state = Integer.parseInt(seen.subject().replace("CN=state-", ""));
    if (!seen.suite().equals(SUITES.get(state % 2))) {
      problems.add("mixed states: " + seen);
    }
  }

  private static void swap(KubeletDirectory mount, int state) throws IOException {
    var identity = TestIdentity.of("state-" + state, KEYS);
    var profile =
        "{\"ciphers\":[\"%s\"],\"minTLSVersion\":\"VersionTLS13\"}"
            .formatted(SUITES.get(state % 2));
    mount.swap(
        Map.of(
            "tls.crt", identity.certificatePem(),
            "tls.key", identity.pkcs8(),
            "profile.json", profile.getBytes(UTF_8)));
  }

  private static ReloadListener counting(AtomicInteger reloads) {
    return new ReloadListener() {
      @Override
      public void reloaded(TlsInput input) {
        reloads.incrementAndGet();
      }

      @Override
      public void refused(TlsInput input, String reason) {
        throw new AssertionError("%s refused: %s".formatted(input, reason));
      }
    };
  }

  private static long openHandles() throws IOException {
    try (var handles = Files.list(Path.of("/proc/self/fd"))) {
      return handles.count();
    }
  }
}
