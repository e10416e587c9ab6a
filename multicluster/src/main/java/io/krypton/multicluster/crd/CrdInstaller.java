// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.crd.CrdAction.CrdVersioning;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates and upgrades definitions; never downgrades one, never deletes one. */
public final class CrdInstaller {
  private static final Duration ESTABLISHED_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final int TRIES = 3;
  private static final int CONFLICT = 409;

  private final CrdPolicy policy;
  private final CrdVersioning versioning;
  private final Compatibility.Check check;

  /**
   * One installer serves all clusters.
   *
   * @param versionAnnotation an integer under this name marks a definition as ours
   * @param check checks CRDs that are served but must not be changed
   */
  public CrdInstaller(CrdPolicy policy, String versionAnnotation, Compatibility.Check check) {
    this.policy = policy;
    this.versioning = new CrdVersioning(versionAnnotation);
    this.check = check;
  }

  /** One result for each definition, in order. Failures are results, too. */
  public List<CrdResult> ensure(KubernetesClient client, List<CustomResourceDefinition> wanted) {
    return wanted.stream().map(ours -> ensure(client, ours)).toList();
  }

  private CrdResult ensure(KubernetesClient client, CustomResourceDefinition ours) {
    var name = ours.getMetadata().getName();
    var resource = client.apiextensions().v1().customResourceDefinitions().withName(name);
    try {
      var result = write(client, resource, ours);
      return result instanceof CrdResult.Failed ? result : established(resource, result);
    } catch (KubernetesClientException e) {
      return new CrdResult.Failed(name, ClusterFailure.of(e).message());
    }
  }

  /** Retries on conflict with another writer, e.g. another replica. */
  private CrdResult write(
      KubernetesClient client,
      Resource<CustomResourceDefinition> resource,
      CustomResourceDefinition ours) {
    for (int left = TRIES; ; left--) {
      try {
        return writeOnce(client, resource.get(), ours);
      } catch (KubernetesClientException e) {
        if (e.getCode() != CONFLICT || left == 1) {
          throw e;
        }
      }
    }
  }

  private CrdResult writeOnce(
      KubernetesClient client,
      @Nullable CustomResourceDefinition served,
      CustomResourceDefinition ours) {
    var name = ours.getMetadata().getName();
    return switch (CrdAction.decide(served, ours, policy, versioning)) {
      case CREATE -> {
        client.resource(ours).create();
        yield new CrdResult.Created(name);
      }
      case REPLACE -> {
        client.resource(merged(present(served), ours)).update();
        yield new CrdResult.Upgraded(name);
      }
      case KEEP -> new CrdResult.UpToDate(name);
      case CHECK_COMPATIBILITY -> checkCompatibility(present(served), ours);
      case REPORT_MISSING ->
          new CrdResult.Failed(name, "it is absent, and the policy forbids to create it");
    };
  }

  private CrdResult checkCompatibility(
      CustomResourceDefinition served, CustomResourceDefinition ours) {
    var name = ours.getMetadata().getName();
    return switch (check.evaluate(served, ours)) {
      case Compatibility.Compatible compatible -> new CrdResult.UpToDate(name);
      case Compatibility.Outdated(var what) -> new CrdResult.Outdated(name, what);
      case Compatibility.Incompatible(var why) -> new CrdResult.Incompatible(name, why);
    };
  }

  /** Our spec with merged metadata, at the resource version that was read. */
  private static CustomResourceDefinition merged(
      CustomResourceDefinition served, CustomResourceDefinition ours) {
    return new CustomResourceDefinitionBuilder(served)
        .withSpec(ours.getSpec())
        .withStatus(null)
        .editMetadata()
        .withLabels(both(served.getMetadata().getLabels(), ours.getMetadata().getLabels()))
        .withAnnotations(
            both(served.getMetadata().getAnnotations(), ours.getMetadata().getAnnotations()))
        .endMetadata()
        .build();
  }

  private static Map<String, String> both(
      @Nullable Map<String, String> served, @Nullable Map<String, String> ours) {
    var all = new HashMap<String, String>(served == null ? Map.of() : served);
    all.putAll(ours == null ? Map.of() : ours);
    return all;
  }

  private static CustomResourceDefinition present(@Nullable CustomResourceDefinition served) {
    if (served == null) {
      throw new IllegalStateException("CRD must be served");
    }
    return served;
  }

  /**
   * Polls instead of watching: it takes a moment, and a watch of the client library that ends early
   * logs a stack trace.
   */
  private static CrdResult established(
      Resource<CustomResourceDefinition> resource, CrdResult result) {
    var end = System.nanoTime() + ESTABLISHED_LIMIT.toNanos();
    try {
      while (!isEstablished(resource.get())) {
        if (System.nanoTime() - end > 0) {
          return new CrdResult.Failed(
              result.crd(), "not established within " + ESTABLISHED_LIMIT.toSeconds() + " s");
        }
        Thread.sleep(POLL_INTERVAL);
      }
      return result;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new CrdResult.Failed(result.crd(), "stopped before it was established");
    }
  }

  private static boolean isEstablished(@Nullable CustomResourceDefinition crd) {
    return crd != null
        && crd.getStatus() != null
        && crd.getStatus().getConditions() != null
        && crd.getStatus().getConditions().stream()
            .anyMatch(c -> "Established".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  /** Whether a CRD that we may not change is compatible. */
  public sealed interface Compatibility {
    record Compatible() implements Compatibility {}

    /** Work goes on without what it lacks. */
    record Outdated(String what) implements Compatibility {}

    /** Our objects could not be stored in it. */
    record Incompatible(String why) implements Compatibility {}

    /** Compares a served CRD with ours. */
    @FunctionalInterface
    interface Check {
      Compatibility evaluate(CustomResourceDefinition served, CustomResourceDefinition ours);
    }
  }

  /** What may be done to definitions on a cluster. */
  public enum CrdPolicy {
    /** Nothing is written. */
    SKIP,
    /** Absent ones are created and ours upgraded; those of others are left alone. */
    CREATE,
    /** Those of others are replaced, too. */
    CREATE_REPLACE
  }

  /** The result for one CRD on one cluster. */
  public sealed interface CrdResult {
    String crd();

    record Created(String crd) implements CrdResult {}

    record Upgraded(String crd) implements CrdResult {}

    /** Served as it is: ours of this version or newer, or a compatible one of somebody else. */
    record UpToDate(String crd) implements CrdResult {}

    record Outdated(String crd, String what) implements CrdResult {}

    record Incompatible(String crd, String why) implements CrdResult {}

    record Failed(String crd, String why) implements CrdResult {}
  }
}
