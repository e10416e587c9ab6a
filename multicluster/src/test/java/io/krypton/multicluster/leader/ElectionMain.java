// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.WriteFence;
import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.multicluster.testing.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that stands for election and, while it leads, writes its name into a ConfigMap as fast
 * as it can, through a fence. Each write is first printed to standard output.
 */
public final class ElectionMain {
  static final LeaseTimings TIMINGS =
      new LeaseTimings(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(500));

  private final String name;
  private final String namespace;
  private final LeaderElection election;
  private final KubernetesClient worker;

  private ElectionMain(String name, String kubeconfig, String namespace) {
    this.name = name;
    this.namespace = namespace;
    var lease = new KubernetesLeaseStore(TestClient.of(kubeconfig), namespace, "leader");
    this.election = new LeaderElection(lease, name, TIMINGS, new Teller());
    this.worker = TestClient.of(kubeconfig, new WriteFence(election::isLeading));
  }

  public static void main(String... arguments) throws IOException {
    var kubeconfig = Files.readString(Path.of(arguments[1]));
    new ElectionMain(arguments[0], kubeconfig, arguments[2]).run();
  }

  private void run() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
    election.start();
    print("stands");
    while (true) {
      // Before the check: the process may be suspended between the check and the print.
      var begun = System.currentTimeMillis();
      if (election.isLeading()) {
        print(begun, "works");
        write();
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** Reads and replaces, so that a write that was delayed meets a version it does not expect. */
  private void write() {
    try {
      var map = worker.configMaps().inNamespace(namespace).withName("work").get();
      map.setData(Map.of("writer", name, "at", Long.toString(System.nanoTime())));
      worker.resource(map).update();
    } catch (KubernetesClientException failed) {
      print("failed " + failed.getClass().getSimpleName());
    }
  }

  private void stop() {
    try {
      election.stop();
      print("stopped");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void print(String what) {
    print(System.currentTimeMillis(), what);
  }

  private static void print(long millis, String what) {
    System.out.println("%d %s".formatted(millis, what));
  }

  private static final class Teller implements LeadershipListener {
    @Override
    public void startedLeading(Term term) {
      print("leads");
    }

    @Override
    public void stoppedLeading(Term term) {
      print("ends");
    }
  }
}
