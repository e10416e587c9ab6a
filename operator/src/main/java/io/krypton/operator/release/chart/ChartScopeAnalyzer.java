// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Whether a chart may put objects outside the namespace of its release, decided by its templates
 * without rendering them. Only what is plain to see counts as proof that it does not: literal kinds
 * that live in namespaces, no namespace but the release's, no objects out of values.
 */
public final class ChartScopeAnalyzer {
  private static final Set<String> NAMESPACED_KINDS =
      Set.of(
          "ConfigMap",
          "CronJob",
          "DaemonSet",
          "Deployment",
          "EndpointSlice",
          "Endpoints",
          "HorizontalPodAutoscaler",
          "Ingress",
          "Job",
          "Lease",
          "LimitRange",
          "NetworkPolicy",
          "PersistentVolumeClaim",
          "Pod",
          "PodDisruptionBudget",
          "ReplicaSet",
          "ResourceQuota",
          "Role",
          "RoleBinding",
          "Secret",
          "Service",
          "ServiceAccount",
          "StatefulSet");

  private static final Pattern KIND = Pattern.compile("(?m)^kind:[ \\t]*(.*?)[ \\t]*$");
  private static final Pattern NAMESPACE =
      Pattern.compile("(?m)^[ \\t]*(?:-[ \\t]+)?namespace:[ \\t]*(.*?)[ \\t]*$");
  private static final Pattern RELEASE_NAMESPACE =
      Pattern.compile(
          "[\"']?\\{\\{-?\\s*\\$?\\.Release\\.Namespace(\\s*\\|\\s*quote)?\\s*-?}}[\"']?");

  /** An action at the begin of a line that may write a whole object. */
  private static final Pattern WRITES_OBJECTS =
      Pattern.compile(
          "(?m)^\\{\\{-?\\s*(?!-?\\s*(?:if|else|end|range|with|define|block|\\$\\w+\\s*:?=|/\\*))"
              + "|^[ \\t]+\\{\\{(?=[^}]*(?:toYaml|tpl))(?![^}]*indent)"
              + "|indent 0\\b");

  private final Map<Path, Boolean> known = new ConcurrentHashMap<>();

  /** Reads each archive once; one that cannot be read counts as cluster-scoped. */
  public boolean exceedsNamespace(Path archive) {
    return known.computeIfAbsent(archive, ChartScopeAnalyzer::analyze);
  }

  private static boolean analyze(Path archive) {
    try (var tar = new TarReader(Files.newInputStream(archive))) {
      for (var file = tar.next(); file.isPresent(); file = tar.next()) {
        if (isPackedChart(file.get())
            || (isTemplate(file.get()) && exceedsNamespace(tar.content()))) {
          return true;
        }
      }
      return false;
    } catch (IOException unreadable) {
      return true;
    }
  }

  private static boolean isPackedChart(String path) {
    return path.contains("/charts/") && path.endsWith(".tgz");
  }

  /** Files that begin with an underscore hold parts; whoever writes them whole is found. */
  private static boolean isTemplate(String path) {
    var name = path.substring(path.lastIndexOf('/') + 1);
    return path.contains("/templates/") && !name.startsWith("_") && !name.equals("NOTES.txt");
  }

  static boolean exceedsNamespace(String template) {
    return KIND.matcher(template)
            .results()
            .anyMatch(kind -> !NAMESPACED_KINDS.contains(kind.group(1)))
        || NAMESPACE
            .matcher(template)
            .results()
            .anyMatch(namespace -> !RELEASE_NAMESPACE.matcher(namespace.group(1)).matches())
        || WRITES_OBJECTS.matcher(template).find();
  }
}
