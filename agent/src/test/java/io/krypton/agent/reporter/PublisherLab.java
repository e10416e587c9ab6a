package io.krypton.agent.reporter;

import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.publish.ApiConnection;
import io.krypton.agent.publish.Credentials;
import io.krypton.agent.publish.KubeconfigFile;
import io.krypton.agent.report.NodeReport;
import io.krypton.agent.report.PluginReport;
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
  private final Mailbox mailbox = new Mailbox();
  private final Publisher publisher;
  private final String node;
  private final @Nullable String lease;

  private PublisherLab(ReporterSettings settings) {
    node = settings.nodeName();
    lease = settings.lease();
    publisher =
        new Publisher(
            settings,
            mailbox,
            new ApiConnection(
                new Credentials(
                    new KubeconfigFile(Path.of(settings.kubeconfig())), System::nanoTime)),
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
      all.addAll(List.of("node-name", node, "target", target.target().word()));
      all.addAll(List.of("kubeconfig", file.toString()));
      all.addAll(List.of(flags));
      return new PublisherLab(Samples.settings(all.toArray(String[]::new)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void sees(PluginReport... plugins) {
    var report = new NodeReport(node, Duration.ofSeconds(30), lease, List.of(plugins));
    mailbox.update(sample -> sample.with(report));
  }

  void ticks() {
    mailbox.update(sample -> sample.ticked(Instant.now()));
  }

  PublishJournal journal() {
    return publisher.journal();
  }

  /** The writes of a kind that ended like this. */
  long writes(WriteKind kind, String result) {
    return journal().counts().getOrDefault(new PublishJournal.WriteOutcome(kind, result), 0L);
  }

  @Override
  public void close() {
    publisher.close();
  }
}
