// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.kube.ApiConnection;
import io.krypton.agent.kube.KubeconfigCredentials;
import io.krypton.agent.kube.ReloadingCredentials;
import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A publisher against a real API server, whose samples the test makes itself. */
final class PublisherLab implements AutoCloseable {
  private final LatestSample latestSample = new LatestSample();
  private final Publisher publisher;
  private final String node;
  private final @Nullable LeaseName lease;

  private PublisherLab(ReporterSettings settings) {
    node = settings.nodeName();
    lease = settings.lease();
    publisher =
        new Publisher(
            settings,
            latestSample,
            new ApiConnection(
                new ReloadingCredentials(
                    new KubeconfigCredentials(Path.of(settings.kubeconfig())), System::nanoTime)),
            ProcessClock.system(),
            new SplittableRandom());
    publisher.start();
  }

  /**
   * Starts it; the kubeconfig is written to a file first.
   *
   * @param flags names and values in turn
   */
  static PublisherLab start(
      Path directory, String kubeconfig, TargetObject target, String node, String... flags) {
    try {
      var file = Files.writeString(directory.resolve(node + ".kubeconfig"), kubeconfig);
      var all = new ArrayList<String>();
      all.addAll(List.of("node-name", node, "target", target.target().value()));
      all.addAll(List.of("kubeconfig", file.toString()));
      all.addAll(List.of(flags));
      return new PublisherLab(Samples.settings(all.toArray(String[]::new)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void sees(PluginReport... plugins) {
    var report = NodeReport.of(node, Duration.ofSeconds(30), lease, List.of(plugins));
    latestSample.update(sample -> sample.withReport(report));
  }

  void ticks() {
    latestSample.update(sample -> sample.withTick(Instant.now()));
  }

  PublishStatus journal() {
    return publisher.status();
  }

  /** The writes of a kind that ended like this. */
  long writes(WriteKind kind, String result) {
    return journal().counts().getOrDefault(new PublishStatus.WriteOutcome(kind, result), 0L);
  }

  @Override
  public void close() {
    publisher.close();
  }
}
