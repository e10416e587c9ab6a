// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Secret that makes home engage itself.
 *
 * @param discoveryLabel the label, with value {@code true}, that makes discovery find it
 * @param managedByLabel with {@code managedBy} as value it marks the Secret as ours; without it the
 *     Secret is never changed
 * @param key the data key of the kubeconfig
 * @param fullFile whether, as a last resort, a kubeconfig file may be stored as it is; that
 *     publishes the credentials of every cluster in it
 */
public record SelfClusterSettings(
    SecretRef secret,
    String discoveryLabel,
    String managedByLabel,
    String managedBy,
    String key,
    Mode mode,
    boolean fullFile) {

  /** When it is written. */
  public enum Mode {
    NEVER,
    /** Only if there is none. */
    AUTO,
    /** Also if there is one of ours. */
    ALWAYS
  }

  /**
   * Credentials that may lead to home.
   *
   * @param description for people
   * @param file the file they come from, if they come from one
   */
  public record SelfClusterSource(
      String description, Supplier<LocalKubeconfig.Loaded> credentials, @Nullable Path file) {

    /** In order of preference: what the user works with, then what is in use for home. */
    public static List<SelfClusterSource> inOrder(
        Map<String, String> environment, Path userHome, HomeConnection home) {
      var sources = new ArrayList<SelfClusterSource>();
      var first = environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator)[0];
      if (!first.isEmpty()) {
        sources.add(ofFile(Path.of(first)));
      }
      sources.add(ofFile(userHome.resolve(".kube").resolve("config")));
      sources.add(
          new SelfClusterSource(
              "the credentials in use for home",
              () -> new LocalKubeconfig.Loaded.Found(home.credentials()),
              null));
      return sources;
    }

    static SelfClusterSource ofFile(Path file) {
      return new SelfClusterSource(file.toString(), () -> LocalKubeconfig.read(file, null), file);
    }
  }
}
