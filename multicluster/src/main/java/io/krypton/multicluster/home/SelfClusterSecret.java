// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.client.TokenSource.FileTokenSource;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.home.SelfClusterSettings.SelfClusterSource;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig.Loaded;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a Secret on home with verified credentials for home, so that home is engaged like any
 * other.
 *
 * <p>It has no thread of its own: its owner calls {@link #ensure} until it is settled, then {@link
 * #refresh} every so often.
 */
public final class SelfClusterSecret implements LiveTokens {
  private static final Logger log = LoggerFactory.getLogger(SelfClusterSecret.class);

  private final SelfClusterSettings settings;
  private final List<SelfClusterSource> sources;
  private final SelfClusterCheck check;
  private final KubernetesClient home;
  private final BooleanSupplier mayRenew;
  private final Runnable tokenKnown;
  private volatile @Nullable Live live;
  private volatile boolean ours = true;
  private List<String> reportedRejections = List.of();

  /** A source with a token file, which each replica has for itself. */
  private record Live(SelfClusterSource source, FileTokenSource token, ApiEndpoint endpoint) {}

  /**
   * Does nothing before {@link #ensure}.
   *
   * @param mayRenew whether this replica stores its token in a Secret that exists; of several only
   *     one may, or each would replace the token of the others
   * @param tokenKnown called when {@link #of} has a better answer than before
   */
  public SelfClusterSecret(
      SelfClusterSettings settings,
      List<SelfClusterSource> sources,
      ClientFactory clients,
      ClientSettings clientSettings,
      KubernetesClient home,
      BooleanSupplier mayRenew,
      Runnable tokenKnown) {
    this.settings = settings;
    this.sources = List.copyOf(sources);
    this.check = new SelfClusterCheck(clients, clientSettings, home);
    this.home = home;
    this.mayRenew = mayRenew;
    this.tokenKnown = tokenKnown;
  }

  /**
   * Writes the Secret if the mode asks for it and some source is good. Anything but {@link
   * SelfClusterResult.NotWritten} is final; that one and exceptions are worth another try.
   */
  public SelfClusterResult ensure() throws InterruptedException {
    if (settings.mode() == Mode.NEVER) {
      return new SelfClusterResult.Kept("the mode is never");
    }
    var present = resource().get();
    if (present != null && !isOurs(present)) {
      return new SelfClusterResult.Kept("Secret " + settings.secret() + " is not ours");
    }
    var reasons = new ArrayList<String>();
    for (var source : sources) {
      var good = verified(source, reasons);
      if (good != null) {
        return adopt(source, good, present);
      }
    }
    return settings.fullFile() && mayStoreFullFile(present)
        ? storeFullFile(present, reasons)
        : notWritten(reasons);
  }

  private @Nullable LocalKubeconfig verified(SelfClusterSource source, List<String> reasons)
      throws InterruptedException {
    switch (source.credentials().get()) {
      case Loaded.Unusable(var reason) -> reasons.add(reason);
      case Loaded.Found(var kubeconfig) -> {
        var rejection = check.rejectionReason(kubeconfig);
        if (rejection.isEmpty()) {
          return kubeconfig;
        }
        reasons.add(source.description() + ": " + rejection.get());
      }
    }
    return null;
  }

  private SelfClusterResult adopt(
      SelfClusterSource source, LocalKubeconfig good, @Nullable Secret present) {
    follow(source, good); // Known before the Secret is: nobody begins with the stored token.
    if (present != null && settings.mode() == Mode.AUTO) {
      refresh();
      return new SelfClusterResult.Kept("Secret " + settings.secret() + " exists");
    }
    store(good.toYaml(), present);
    return new SelfClusterResult.Written(source.description());
  }

  private void follow(SelfClusterSource source, LocalKubeconfig good) {
    var tokenFile = good.tokenFile();
    if (tokenFile.isPresent() && good.content() instanceof ParsedKubeconfig.Accepted accepted) {
      live = new Live(source, new FileTokenSource(tokenFile.get()), accepted.endpoint());
      tokenKnown.run();
    }
  }

  /** Whether there is a token file to follow, so that {@link #refresh} has something to do. */
  public boolean isFollowing() {
    return live != null;
  }

  /**
   * A whole file is the last resort: it only replaces a Secret that the API server or the policy
   * refuses. One that cannot be verified now may well be good.
   */
  private boolean mayStoreFullFile(@Nullable Secret present) throws InterruptedException {
    if (present == null) {
      return true;
    }
    var stored = present.getData() == null ? null : present.getData().get(settings.key());
    return settings.mode() == Mode.ALWAYS
        && (stored == null
            || check.isRefused(ParsedKubeconfig.parse(Base64.getDecoder().decode(stored))));
  }

  private SelfClusterResult storeFullFile(@Nullable Secret present, List<String> reasons) {
    for (var source : sources) {
      if (source.file() == null) {
        continue;
      }
      try {
        store(Files.readAllBytes(source.file()), present);
        return new SelfClusterResult.WrittenFullFile(source.description());
      } catch (IOException e) {
        reasons.add(source.description() + " cannot be read");
      }
    }
    return notWritten(reasons);
  }

  private SelfClusterResult notWritten(List<String> reasons) {
    if (!reasons.equals(reportedRejections)) {
      log.atWarn()
          .addKeyValue("secret", settings.secret())
          .addKeyValue("reasons", reasons)
          .log("no usable credentials for the self cluster Secret, retrying");
      reportedRejections = List.copyOf(reasons);
    }
    return new SelfClusterResult.NotWritten(reasons);
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

  /**
   * A renewed token reaches the Secret, if that still exists and is ours; its labels stay. One that
   * was taken over by somebody else is engaged with what it holds.
   */
  public void refresh() {
    var following = live;
    if (following == null) {
      return;
    }
    try {
      var present = resource().get();
      ours = present == null || isOurs(present);
      if (present != null && ours && mayRenew.getAsBoolean()) {
        renew(present, following);
      }
    } catch (KubernetesClientException e) {
      log.atWarn()
          .addKeyValue("secret", settings.secret())
          .addKeyValue("reason", ClusterFailure.of(e).message())
          .log("failed to store renewed token, retrying");
    }
  }

  private void renew(Secret present, Live following) {
    var token = following.token().current();
    if (token == null
        || !(following.source().credentials().get() instanceof Loaded.Found(var found))
        || !(found.content() instanceof ParsedKubeconfig.Accepted accepted)) {
      return;
    }
    var encoded = Base64.getEncoder().encodeToString(accepted.withToken(token).toYaml());
    var data = Objects.requireNonNullElse(present.getData(), Map.<String, String>of());
    if (!encoded.equals(data.get(settings.key()))) {
      home.resource(new SecretBuilder(present).addToData(settings.key(), encoded).build()).update();
    }
  }

  /** Only for the API server that the token is of: who edits the Secret must not get it sent. */
  @Override
  public Optional<TokenSource> of(SecretRef secret, ApiEndpoint endpoint) {
    var following = live;
    return following != null
            && ours
            && settings.secret().equals(secret)
            && following.endpoint().equals(endpoint)
        ? Optional.of(following.token())
        : Optional.empty();
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

  /** What was done with the self cluster Secret. */
  public sealed interface SelfClusterResult {
    record Written(String source) implements SelfClusterResult {}

    /** Worth a warning: the file may hold credentials of other clusters. */
    record WrittenFullFile(String source) implements SelfClusterResult {}

    record Kept(String why) implements SelfClusterResult {}

    /** No source was good; one reason for each. */
    record NotWritten(List<String> why) implements SelfClusterResult {
      public NotWritten {
        why = List.copyOf(why);
      }
    }
  }
}
