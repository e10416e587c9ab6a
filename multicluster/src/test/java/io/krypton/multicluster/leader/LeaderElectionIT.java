// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two processes, one lease. */
@ExtendWith(ControlPlaneExtension.class)
class LeaderElectionIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private ControlPlane plane;
  private String namespace;
  private ElectionProcess leader;
  private ElectionProcess follower;

  @BeforeEach
  void start(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own)
      throws Exception {
    plane = home;
    namespace = own.name();
    plane
        .admin()
        .post(own.path() + "/configmaps", "{\"metadata\": {\"name\": \"work\"}}")
        .orThrow();
    leader = newProcess("first");
    await().atMost(SOON).until(() -> leader.printed("works"));
    follower = newProcess("second");
    await().atMost(SOON).until(() -> follower.printed("stands"));
  }

  /** Each with a user of its own, so that the audit log can tell them apart. */
  private ElectionProcess newProcess(String name) throws IOException {
    var kubeconfig = plane.kubeconfigFor(name, "system:masters");
    return new ElectionProcess(
        name, Files.writeString(directory.resolve(name), kubeconfig), namespace);
  }

  @AfterEach
  void close() {
    leader.close();
    follower.close();
  }

  private JsonNode lease() {
    var path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    return plane.admin().get(path).body().at("/items/0/spec");
  }

  @Test
  void a_leader_that_was_frozen_does_nothing_after_its_deadline_and_later_leads_again()
      throws Exception {
    var mark = plane.audit().mark();
    leader.signal("STOP");
    var frozen = Instant.now();
    await().atMost(SOON).until(() -> follower.printed("leads"));
    var second = lease().path("holderIdentity").asText();
    leader.signal("CONT");
    await().atMost(SOON).until(() -> leader.printed("ends"));
    await()
        .during(Duration.ofSeconds(2))
        .atMost(SOON)
        .until(() -> leader.linesAfter(frozen).stream().noneMatch(LeaderElectionIT::isWork));
    await().atMost(SOON).until(() -> !writesOf("second", mark).isEmpty());
    assertThat(writesOf("first", mark))
        .as("writes of the old leader")
        .allMatch(write -> write.at().isBefore(writesOf("second", mark).getFirst().at()));

    follower.signal("TERM");
    assertThat(follower.exitCode()).isEqualTo(143);
    await().atMost(SOON).until(() -> follower.printed("stopped"));
    assertThat(lease().path("holderIdentity").asText())
        .as("the lease was released: nobody need wait for its end")
        .isNotEqualTo(second);
    await()
        .atMost(SOON)
        .until(() -> leader.linesAfter(frozen).stream().anyMatch(LeaderElectionIT::isWork));
  }

  private static boolean isWork(ElectionProcess.Line line) {
    return line.what().equals("works") || line.what().equals("leads");
  }

  private List<AuditRecord> writesOf(String user, ApiAudit.Mark mark) {
    return plane
        .audit()
        .since(mark)
        .inNamespace(namespace)
        .on("configmaps")
        .by(user)
        .only(request -> request.verb().equals("update") && request.code() == 200)
        .records();
  }
}
