// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.rollout.NamespaceRules;
import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.multicluster.cluster.SecretRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which Secret leads to the region of a deployment, and which Secrets a deployment may use at all;
 * pure.
 *
 * @param namespace the operator's, where the kubeconfigs of regions are
 * @param key the data key of a kubeconfig unless an object names another
 */
public record RegionRouting(String namespace, String key) {
  /** Separates the key from the Secret where a status names both. No Secret has it in its name. */
  private static final char KEY_SEPARATOR = '#';

  private static final String TARGET_SEPARATOR = ",";

  private static final int MAX_NAME_LENGTH = 253;
  private static final Pattern SECRET_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Whether a deployment may use a Secret. */
  public enum Access {
    ALLOWED,
    FORBIDDEN,
    /** It is in a third namespace, and whether it carries the label is not known yet. */
    UNKNOWN
  }

  /** Where the deployment is to go. */
  KubeconfigRef desiredTarget(KryptonDeployment deployment) {
    var region = deployment.getSpec().region();
    var named = region.kubeconfig() == null ? null : region.kubeconfig().secret();
    var usual = firstNonEmpty(region.kubeconfigSecretName(), region.name() + "-kubeconfig");
    if (named == null) {
      return new KubeconfigRef(new SecretRef(namespace, usual), key);
    }
    var place =
        firstNonEmpty(named.name(), "").isEmpty()
            ? namespace
            : firstNonEmpty(named.namespace(), namespace);
    return new KubeconfigRef(
        new SecretRef(place, firstNonEmpty(named.name(), usual)), firstNonEmpty(named.key(), key));
  }

  /**
   * No object may borrow any Secret: only those of the operator's namespace, of its own, and those
   * that are meant for everybody because they carry the discovery label.
   *
   * @param labelled whether the Secret carries the label; null if that is not known yet
   */
  Access access(SecretRef secret, String deploymentNamespace, @Nullable Boolean labelled) {
    if (!isWellFormed(secret)) {
      return Access.FORBIDDEN;
    }
    if (isImplicitlyAllowed(secret, deploymentNamespace)) {
      return Access.ALLOWED;
    }
    if (labelled == null) {
      return Access.UNKNOWN;
    }
    return labelled ? Access.ALLOWED : Access.FORBIDDEN;
  }

  /** Whether the label need not be asked for. */
  boolean isImplicitlyAllowed(SecretRef secret, String deploymentNamespace) {
    return secret.namespace().equals(namespace) || secret.namespace().equals(deploymentNamespace);
  }

  /** Names become parts of paths: what the API server would refuse is not sent to it. */
  static boolean isWellFormed(SecretRef secret) {
    return NamespaceRules.isLabel(secret.namespace())
        && secret.name().length() <= MAX_NAME_LENGTH
        && SECRET_NAME.matcher(secret.name()).matches();
  }

  /** The name that a target's cluster has among all that are engaged. */
  ClusterName clusterOf(KubeconfigRef kubeconfigRef) {
    return clusterOf(kubeconfigRef.secret());
  }

  ClusterName clusterOf(SecretRef secret) {
    return ClusterName.of(secret, namespace);
  }

  /** As the status shows it: {@code namespace/secret}, and the key if it is not the usual one. */
  String format(KubeconfigRef kubeconfigRef) {
    return kubeconfigRef.key().equals(key)
        ? kubeconfigRef.secret().toString()
        : kubeconfigRef.secret().toString() + KEY_SEPARATOR + kubeconfigRef.key();
  }

  /** The reverse of {@link #format}; empty for what is no target. */
  Optional<KubeconfigRef> parse(@Nullable String shown) {
    var slash = shown == null ? -1 : shown.indexOf('/');
    if (shown == null || slash <= 0) {
      return Optional.empty();
    }
    var end = shown.indexOf(KEY_SEPARATOR, slash);
    var name = end < 0 ? shown.substring(slash + 1) : shown.substring(slash + 1, end);
    var chosenKey = end < 0 ? key : shown.substring(end + 1);
    return name.isEmpty() || chosenKey.isEmpty()
        ? Optional.empty()
        : Optional.of(new KubeconfigRef(new SecretRef(shown.substring(0, slash), name), chosenKey));
  }

  /** Where the deployment is to go, is, and still may be. */
  Set<KubeconfigRef> allTargets(KryptonDeployment deployment) {
    var all = new LinkedHashSet<KubeconfigRef>();
    all.add(desiredTarget(deployment));
    currentTarget(deployment).ifPresent(all::add);
    all.addAll(staleTargets(deployment));
    return all;
  }

  /** Where the deployment is, by its own word. */
  Optional<KubeconfigRef> currentTarget(KryptonDeployment deployment) {
    return parse(storedTargets(deployment).getFirst()).map(it -> withCurrentKey(it, deployment));
  }

  /**
   * All targets as the object names them, the present one first. The annotation is only there while
   * the status has no place for them, and then it is the one that is kept up to date.
   */
  private static List<String> storedTargets(KryptonDeployment deployment) {
    var annotations = deployment.getMetadata().getAnnotations();
    var kept = annotations == null ? null : annotations.get(Annotations.TARGETS);
    if (kept != null) {
      return List.of(kept.split(TARGET_SEPARATOR, -1));
    }
    var status = deployment.getStatus();
    var all = new ArrayList<String>();
    all.add(firstNonEmpty(status.target(), ""));
    all.addAll(status.staleTargets());
    return all;
  }

  /** The value of the annotation that keeps these targets. */
  String formatAll(@Nullable KubeconfigRef present, List<KubeconfigRef> stale) {
    return Stream.concat(
            Stream.of(present == null ? "" : format(present)), stale.stream().map(this::format))
        .collect(Collectors.joining(TARGET_SEPARATOR));
  }

  /** Where the deployment may have left something, by its own word. */
  List<KubeconfigRef> staleTargets(KryptonDeployment deployment) {
    return storedTargets(deployment).stream()
        .skip(1)
        .flatMap(shown -> parse(shown).stream())
        .map(it -> withCurrentKey(it, deployment))
        .toList();
  }

  /** A Secret is one cluster, under whatever key: another key is another way to the same place. */
  private KubeconfigRef withCurrentKey(KubeconfigRef named, KryptonDeployment deployment) {
    var wanted = desiredTarget(deployment);
    return named.secret().equals(wanted.secret()) ? wanted : named;
  }

  private static String firstNonEmpty(@Nullable String wanted, String otherwise) {
    return wanted == null || wanted.isEmpty() ? otherwise : wanted;
  }

  /** The kubeconfig that leads to the cluster of a region: one key of one Secret on home. */
  public record KubeconfigRef(SecretRef secret, String key) {}
}
