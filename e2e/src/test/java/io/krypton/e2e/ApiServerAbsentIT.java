package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.Cluster;
import io.krypton.sandbox.junit.ControlPlanes;
import io.krypton.sandbox.pki.CertificateAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator that starts before its API server waits for it, whatever the way it is missing in.
 */
@ExtendWith(ControlPlanes.class)
class ApiServerAbsentIT {
  private static final String NAMESPACE = "absent";

  /** Long enough for the time limits of first requests to pass. */
  private static final Duration AWAY = Duration.ofSeconds(12);

  /** Ten seconds, on a machine three times slower. */
  private static final Duration BACK = Duration.ofSeconds(30);

  @TempDir Path directory;

  /** One operator and what brings its API server back. */
  private record Waiting(Operator operator, Cure cure) {}

  private interface Cure {
    void apply() throws IOException;
  }

  @Test
  void no_operator_ends_and_all_become_ready_when_the_api_server_is_back(
      @Cluster("home") ControlPlane home) throws Exception {
    Fleet.namespace(home, NAMESPACE);
    var operators = new LinkedHashMap<String, Waiting>();
    try {
      operators.put("closed port", behind(home, new Fault.Refuse()));
      operators.put("black hole", behind(home, new Fault.BlackHole()));
      operators.put("503", behind(home, Fault.answer(503)));
      operators.put("wrong authority", withKubeconfig(otherAuthority(home), home));
      operators.put("no kubeconfig", withKubeconfig("", home));

      for (var operator : operators.entrySet()) {
        await(operator.getKey())
            .atMost(Fleet.PATIENCE)
            .ignoreExceptions()
            .until(() -> operator.getValue().operator().probe("/livez").statusCode() == 200);
      }
      await().during(AWAY).atMost(AWAY.multipliedBy(3)).until(() -> noneIsReady(operators));

      for (var waiting : operators.values()) {
        waiting.cure().apply();
      }
      for (var operator : operators.entrySet()) {
        await(operator.getKey())
            .atMost(BACK)
            .until(() -> operator.getValue().operator().probe("/readyz").statusCode() == 200);
        assertThat(operator.getValue().operator().isAlive()).as(operator.getKey()).isTrue();
      }
    } finally {
      operators.values().forEach(waiting -> waiting.operator().close());
    }
  }

  private static boolean noneIsReady(Map<String, Waiting> operators)
      throws IOException, InterruptedException {
    for (var waiting : operators.values()) {
      var operator = waiting.operator();
      if (!operator.isAlive()
          || operator.probe("/livez").statusCode() != 200
          || operator.probe("/readyz").statusCode() == 200) {
        return false;
      }
    }
    return true;
  }

  private Waiting behind(ControlPlane home, Fault fault) throws IOException {
    FaultProxy proxy = home.proxy();
    proxy.inject(fault);
    return new Waiting(start(home.adminKubeconfig(proxy)), proxy::pass);
  }

  /** Somebody writes the right one later. */
  private Waiting withKubeconfig(String content, ControlPlane home) throws IOException {
    var files = Files.createTempDirectory(directory, "operator");
    var operator = start(files, content);
    var kubeconfig = files.resolve("home.kubeconfig");
    if (content.isEmpty()) {
      Files.delete(kubeconfig);
    }
    return new Waiting(operator, () -> Files.writeString(kubeconfig, home.adminKubeconfig()));
  }

  private Operator start(String kubeconfig) throws IOException {
    return start(Files.createTempDirectory(directory, "operator"), kubeconfig);
  }

  private static Operator start(Path files, String kubeconfig) throws IOException {
    return Operator.start(
        files,
        kubeconfig,
        "--namespace=" + NAMESPACE,
        "--self-cluster=never",
        "--leader-elect=false",
        "--platform=kubernetes");
  }

  /** The same server, and an authority that has not signed its certificate. */
  private static String otherAuthority(ControlPlane home) {
    var other = CertificateAuthority.named("other").certificatePem();
    var data = Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.US_ASCII));
    return home.adminKubeconfig()
        .replaceAll("certificate-authority-data: \\S+", "certificate-authority-data: " + data);
  }
}
