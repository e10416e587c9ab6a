// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.Annotations;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a revision holds from Helm's Secret, once, unless whoever stored it has told; only
 * names stay in memory.
 */
final class InventoryCache {
  private static final Logger log = LoggerFactory.getLogger(InventoryCache.class);
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private static final String FAILED = ":failed";

  private final KindDiscovery kinds;
  private final Map<String, Inventory> byRelease = new ConcurrentHashMap<>();

  InventoryCache(KindDiscovery kinds) {
    this.kinds = kinds;
  }

  Inventory of(TargetCluster target, DeployedRelease release) throws IOException {
    var key = key(release.namespace(), release.name().value());
    var known = byRelease.get(key);
    if (known != null && known.revisionUid().equals(release.revisionUid())) {
      return known;
    }
    var secret = secret(target, release);
    var inventory =
        inventory(
            String.valueOf(secret.getMetadata().getUid()),
            release.namespace(),
            manifest(secret),
            finishedJobs(secret));
    byRelease.put(key, inventory);
    return inventory;
  }

  /** A revision that was stored a moment ago holds this; nobody can have noted a Job on it yet. */
  void put(DeployedRelease release, String stored) {
    if (Manifest.parse(stored) instanceof Manifest.Parsed.Intact(var manifest)) {
      byRelease.put(
          key(release.namespace(), release.name().value()),
          inventory(release.revisionUid(), release.namespace(), manifest, Set.of()));
    }
  }

  /**
   * The inventory of a revision.
   *
   * @param noted how Jobs have ended, as the Secret says
   */
  private Inventory inventory(
      String revisionUid, String namespace, Manifest manifest, Set<String> noted) {
    var ended = new HashMap<ObjectRef, Readiness>();
    var objects =
        manifest.objects().stream()
            .map(
                object -> {
                  var ref = reference(object, namespace);
                  if (ref.isJob() && noted.contains(path(ref) + FAILED)) {
                    ended.put(ref, new Readiness.Failed("Job/%s (failed)".formatted(ref.name())));
                  } else if (ref.isJob() && (hasTtl(object) || noted.contains(path(ref)))) {
                    ended.put(ref, new Readiness.Ready());
                  }
                  return ref;
                })
            .toList();
    return new Inventory(revisionUid, objects, ended);
  }

  private static boolean hasTtl(ManifestObject job) {
    return job.content().path("spec").path("ttlSecondsAfterFinished").isNumber();
  }

  /**
   * Notes how a Job has ended in this revision, also where the next process finds it: on the Secret
   * of the revision, whose annotations Helm does not carry over.
   */
  void recordFinishedJob(
      TargetCluster target,
      DeployedRelease release,
      Inventory inventory,
      ObjectRef job,
      Readiness end) {
    if (!inventory.recordFinishedJob(job, end)) {
      return;
    }
    var jobs =
        inventory.finishedJobs().entrySet().stream()
            .map(
                it -> path(it.getKey()) + (it.getValue() instanceof Readiness.Failed ? FAILED : ""))
            .sorted()
            .collect(Collectors.joining(","));
    var name = ReleaseSecret.name(release.name(), release.revision());
    try {
      var _ =
          target
              .client()
              .secrets()
              .inNamespace(release.namespace())
              .withName(name)
              .patch(
                  MERGE,
                  "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                      .formatted(Annotations.FINISHED_JOBS, jobs));
    } catch (KubernetesClientException refused) {
      // Known to this process all the same; only the next one may run the Job again.
      log.atWarn()
          .addKeyValue("secret", release.namespace() + "/" + name)
          .addKeyValue("code", refused.getCode())
          .log("could not note on the release Secret that its Jobs have finished");
    }
  }

  private static Set<String> finishedJobs(Secret secret) {
    return Optional.ofNullable(secret.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Annotations.FINISHED_JOBS))
        .map(jobs -> Arrays.stream(jobs.split(",")).collect(Collectors.toUnmodifiableSet()))
        .orElse(Set.of());
  }

  private static String path(ObjectRef job) {
    return job.namespace() + "/" + job.name();
  }

  /** Answers with what is forgotten. */
  Optional<Inventory> forget(String namespace, String release) {
    return Optional.ofNullable(byRelease.remove(key(namespace, release)));
  }

  /** The rendered objects, read anew: they may hold Secrets and are not kept. */
  Manifest manifest(TargetCluster target, DeployedRelease release) throws IOException {
    return manifest(secret(target, release));
  }

  private static Secret secret(TargetCluster target, DeployedRelease release) throws IOException {
    var name = ReleaseSecret.name(release.name(), release.revision());
    var secret = target.client().secrets().inNamespace(release.namespace()).withName(name).get();
    if (secret == null) {
      throw new IOException("the Secret %s of release %s is gone".formatted(name, release.name()));
    }
    return secret;
  }

  private static Manifest manifest(Secret secret) throws IOException {
    var name = secret.getMetadata().getName();
    var data = secret.getData();
    var payload = data == null ? null : data.get(ReleaseSecret.PAYLOAD_KEY);
    if (payload == null) {
      throw unreadable(name, "it holds no release");
    }
    return switch (StoredRelease.decode(payload)) {
      case StoredRelease.Decoded.Unreadable(var reason) -> throw unreadable(name, reason);
      case StoredRelease.Decoded.Intact(var stored) ->
          switch (Manifest.parse(stored.manifest())) {
            case Manifest.Parsed.Unreadable(var reason) -> throw unreadable(name, reason);
            case Manifest.Parsed.Intact(var manifest) -> manifest;
          };
    };
  }

  /** Objects without a namespace go to that of their release, unless their kind knows none. */
  ObjectRef reference(ManifestObject object, String releaseNamespace) {
    var kind = new ObjectRef.Kind(object.apiVersion(), object.kind());
    var namespaced = kinds.find(kind).map(KindDiscovery.ServedKind::namespaced).orElse(true);
    var named = object.namespace() == null ? releaseNamespace : object.namespace();
    return new ObjectRef(kind, namespaced ? named : "", object.name());
  }

  private static IOException unreadable(String secret, String reason) {
    return new IOException("the Secret %s cannot be read: %s".formatted(secret, reason));
  }

  private static String key(String namespace, String release) {
    return namespace + "/" + release;
  }

  /**
   * The objects of one revision of a release.
   *
   * @param revisionUid of the Secret that was read
   * @param finishedJobs Jobs that may be gone, and how they ended: those that the cluster removes
   *     some time after their end, and those that were seen to complete in this revision. To put
   *     one back would be to run it again.
   */
  record Inventory(
      String revisionUid, List<ObjectRef> objects, Map<ObjectRef, Readiness> finishedJobs) {
    Inventory {
      objects = List.copyOf(objects);
      finishedJobs = new ConcurrentHashMap<>(finishedJobs);
    }

    /** Whether that was not known. */
    boolean recordFinishedJob(ObjectRef job, Readiness end) {
      return switch (end) {
        case Readiness.Ready complete -> !complete.equals(finishedJobs.put(job, complete));
        // Without a time to live it is there until somebody deletes it, to have it run again.
        case Readiness.Failed failed ->
            finishedJobs.containsKey(job) && !failed.equals(finishedJobs.put(job, failed));
        case Readiness.NotReady notReady -> false;
      };
    }
  }
}
