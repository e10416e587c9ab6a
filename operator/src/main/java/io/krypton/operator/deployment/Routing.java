package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.deployment.KryptonDeployment;
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
public record Routing(String namespace, String key) {
  /** Separates the key from the Secret where a status names both. No Secret has it in its name. */
  private static final char KEY = '#';

  private static final String BETWEEN = ",";

  private static final int LONGEST_NAME = 253;
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
  Target target(KryptonDeployment deployment) {
    var region = deployment.getSpec().region();
    var named = region.kubeconfig() == null ? null : region.kubeconfig().secret();
    var usual = first(region.kubeconfigSecretName(), region.name() + "-kubeconfig");
    if (named == null) {
      return new Target(new SecretRef(namespace, usual), key);
    }
    var place = first(named.name(), "").isEmpty() ? namespace : first(named.namespace(), namespace);
    return new Target(new SecretRef(place, first(named.name(), usual)), first(named.key(), key));
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
    if (isNear(secret, deploymentNamespace)) {
      return Access.ALLOWED;
    }
    if (labelled == null) {
      return Access.UNKNOWN;
    }
    return labelled ? Access.ALLOWED : Access.FORBIDDEN;
  }

  /** Whether the label need not be asked for. */
  boolean isNear(SecretRef secret, String deploymentNamespace) {
    return secret.namespace().equals(namespace) || secret.namespace().equals(deploymentNamespace);
  }

  /** Names become parts of paths: what the API server would refuse is not sent to it. */
  static boolean isWellFormed(SecretRef secret) {
    return NamespaceRules.isLabel(secret.namespace())
        && secret.name().length() <= LONGEST_NAME
        && SECRET_NAME.matcher(secret.name()).matches();
  }

  /** The name that a target's cluster has among all that are engaged. */
  ClusterName clusterOf(Target target) {
    return clusterOf(target.secret());
  }

  ClusterName clusterOf(SecretRef secret) {
    return ClusterName.of(secret, namespace);
  }

  /** As the status shows it: {@code namespace/secret}, and the key if it is not the usual one. */
  String shown(Target target) {
    return target.key().equals(key)
        ? target.secret().toString()
        : target.secret().toString() + KEY + target.key();
  }

  /** The reverse of {@link #shown}; empty for what is no target. */
  Optional<Target> parse(@Nullable String shown) {
    var slash = shown == null ? -1 : shown.indexOf('/');
    if (shown == null || slash <= 0) {
      return Optional.empty();
    }
    var end = shown.indexOf(KEY, slash);
    var name = end < 0 ? shown.substring(slash + 1) : shown.substring(slash + 1, end);
    var chosenKey = end < 0 ? key : shown.substring(end + 1);
    return name.isEmpty() || chosenKey.isEmpty()
        ? Optional.empty()
        : Optional.of(new Target(new SecretRef(shown.substring(0, slash), name), chosenKey));
  }

  /** Where the deployment is to go, is, and still may be. */
  Set<Target> all(KryptonDeployment deployment) {
    var all = new LinkedHashSet<Target>();
    all.add(target(deployment));
    present(deployment).ifPresent(all::add);
    all.addAll(stale(deployment));
    return all;
  }

  /** Where the deployment is, by its own word. */
  Optional<Target> present(KryptonDeployment deployment) {
    return parse(told(deployment).getFirst()).map(it -> asNamedNow(it, deployment));
  }

  /**
   * All targets as the object tells them, the present one first. The annotation is only there while
   * the status has no place for them, and then it is the one that is kept up to date.
   */
  private static List<String> told(KryptonDeployment deployment) {
    var annotations = deployment.getMetadata().getAnnotations();
    var kept = annotations == null ? null : annotations.get(Annotations.TARGETS);
    if (kept != null) {
      return List.of(kept.split(BETWEEN, -1));
    }
    var status = deployment.getStatus();
    var all = new ArrayList<String>();
    all.add(first(status.target(), ""));
    all.addAll(status.staleTargets());
    return all;
  }

  /** The value of the annotation that keeps these targets. */
  String kept(@Nullable Target present, List<Target> stale) {
    return Stream.concat(
            Stream.of(present == null ? "" : shown(present)), stale.stream().map(this::shown))
        .collect(Collectors.joining(BETWEEN));
  }

  /** Where the deployment may have left something, by its own word. */
  List<Target> stale(KryptonDeployment deployment) {
    return told(deployment).stream()
        .skip(1)
        .flatMap(shown -> parse(shown).stream())
        .map(it -> asNamedNow(it, deployment))
        .toList();
  }

  /** A Secret is one cluster, under whatever key: another key is another way to the same place. */
  private Target asNamedNow(Target told, KryptonDeployment deployment) {
    var wanted = target(deployment);
    return told.secret().equals(wanted.secret()) ? wanted : told;
  }

  private static String first(@Nullable String wanted, String otherwise) {
    return wanted == null || wanted.isEmpty() ? otherwise : wanted;
  }
}
