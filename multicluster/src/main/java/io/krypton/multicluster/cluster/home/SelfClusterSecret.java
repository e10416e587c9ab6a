package io.krypton.multicluster.cluster.home;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.FileToken;
import io.krypton.multicluster.cluster.client.TokenSource;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import io.krypton.multicluster.cluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.cluster.kubeconfig.LocalKubeconfig;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a Secret on home that holds tried credentials for home, so that home is engaged like any.
 */
public final class SelfClusterSecret implements LiveTokens, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SelfClusterSecret.class);
  private static final Duration TOKEN_CHECK = Duration.ofSeconds(60);

  private final SelfClusterSettings settings;
  private final List<SelfClusterSource> sources;
  private final SelfClusterCheck check;
  private final KubernetesClient home;
  private volatile @Nullable FileToken liveToken;
  private @Nullable SelfClusterSource chosen;
  private @Nullable Thread follower;

  public SelfClusterSecret(
      SelfClusterSettings settings,
      List<SelfClusterSource> sources,
      ClientFactory clients,
      ClientSettings clientSettings,
      KubernetesClient home) {
    this.settings = settings;
    this.sources = List.copyOf(sources);
    this.check = new SelfClusterCheck(clients, clientSettings, home);
    this.home = home;
  }

  /** Writes the Secret if the mode asks for it and some source is good. Asked once, at start. */
  public SelfClusterOutcome ensure() throws InterruptedException {
    if (settings.mode() == Mode.NEVER) {
      return new SelfClusterOutcome.Kept("the mode is never");
    }
    var present = resource().get();
    if (present != null && !isOurs(present)) {
      return new SelfClusterOutcome.Kept("Secret " + settings.secret() + " is not ours");
    }
    var objections = new ArrayList<String>();
    for (var source : sources) {
      var good = tried(source, objections);
      if (good != null) {
        return adopt(source, good, present);
      }
    }
    return settings.fullFile() ? storeFullFile(objections) : notWritten(objections);
  }

  private @Nullable LocalKubeconfig tried(SelfClusterSource source, List<String> objections)
      throws InterruptedException {
    switch (source.credentials().get()) {
      case LocalKubeconfig.Loaded.Unusable(var reason) -> objections.add(reason);
      case LocalKubeconfig.Loaded.Found(var kubeconfig) -> {
        var objection = check.objectionTo(kubeconfig);
        if (objection.isEmpty()) {
          return kubeconfig;
        }
        objections.add(source.description() + ": " + objection.get());
      }
    }
    return null;
  }

  private SelfClusterOutcome adopt(
      SelfClusterSource source, LocalKubeconfig good, @Nullable Secret present) {
    var tokenFile = good.tokenFile();
    if (tokenFile.isPresent()) {
      chosen = source;
      liveToken = new FileToken(tokenFile.get()); // known before the Secret is: no re-engagement
      follower = Thread.ofVirtual().name("self-cluster-token").start(this::follow);
    }
    if (present != null && settings.mode() == Mode.AUTO) {
      refresh();
      return new SelfClusterOutcome.Kept("Secret " + settings.secret() + " exists");
    }
    store(good.toYaml(), present);
    return new SelfClusterOutcome.Written(source.description());
  }

  private SelfClusterOutcome storeFullFile(List<String> objections) {
    for (var source : sources) {
      if (source.file() == null) {
        continue;
      }
      try {
        store(Files.readAllBytes(source.file()), resource().get());
        return new SelfClusterOutcome.WrittenFullFile(source.description());
      } catch (IOException e) {
        objections.add(source.description() + " cannot be read");
      }
    }
    return notWritten(objections);
  }

  private SelfClusterOutcome notWritten(List<String> objections) {
    LOG.atWarn()
        .addKeyValue("secret", settings.secret())
        .addKeyValue("why", objections)
        .log("no credentials lead to home; its Secret is not written");
    return new SelfClusterOutcome.NotWritten(objections);
  }

  private void store(byte[] kubeconfig, @Nullable Secret present) {
    var encoded = Base64.getEncoder().encodeToString(kubeconfig);
    if (present == null) {
      home.resource(fresh(encoded)).create();
      return;
    }
    var updated =
        new SecretBuilder(present)
            .editMetadata()
            .addToLabels(settings.discoveryLabel(), DiscoverySettings.LABEL_VALUE)
            .endMetadata()
            .addToData(settings.key(), encoded)
            .build();
    if (!updated.equals(present)) {
      home.resource(updated).update();
    }
  }

  private Secret fresh(String encoded) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(settings.secret().namespace())
        .withName(settings.secret().name())
        .addToLabels(settings.discoveryLabel(), DiscoverySettings.LABEL_VALUE)
        .addToLabels(settings.managedByLabel(), settings.managedBy())
        .endMetadata()
        .withData(Map.of(settings.key(), encoded))
        .build();
  }

  private void follow() {
    try {
      while (true) {
        Thread.sleep(TOKEN_CHECK);
        refresh();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A renewed token reaches the Secret, if that still exists and is ours; its labels stay. */
  void refresh() {
    if (chosen == null
        || !(chosen.credentials().get() instanceof LocalKubeconfig.Loaded.Found(var kubeconfig))) {
      return;
    }
    try {
      var present = resource().get();
      var encoded = Base64.getEncoder().encodeToString(kubeconfig.refreshed().toYaml());
      if (present != null
          && isOurs(present)
          && !encoded.equals(present.getData().get(settings.key()))) {
        home.resource(new SecretBuilder(present).addToData(settings.key(), encoded).build())
            .update();
      }
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .addKeyValue("secret", settings.secret())
          .addKeyValue("why", Failure.of(e).message())
          .log("a renewed token was not stored; the next check tries again");
    }
  }

  @Override
  public Optional<TokenSource> of(SecretRef secret) {
    return settings.secret().equals(secret) ? Optional.ofNullable(liveToken) : Optional.empty();
  }

  private boolean isOurs(Secret secret) {
    var labels = secret.getMetadata().getLabels();
    return labels != null && settings.managedBy().equals(labels.get(settings.managedByLabel()));
  }

  private Resource<Secret> resource() {
    return home.secrets()
        .inNamespace(settings.secret().namespace())
        .withName(settings.secret().name());
  }

  @Override
  public void close() {
    if (follower != null) {
      follower.interrupt();
    }
  }
}
