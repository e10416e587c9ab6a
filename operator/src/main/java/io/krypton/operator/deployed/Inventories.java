package io.krypton.operator.deployed;

import io.krypton.operator.manifest.Manifest;
import io.krypton.operator.manifest.ManifestObject;
import io.krypton.operator.release.ReleaseSecret;
import io.krypton.operator.release.StoredRelease;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.TargetCluster;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads what a revision holds from Helm's Secret, once; only names stay in memory. */
final class Inventories {
  private final KindIndex kinds;
  private final Map<String, Inventory> byRelease = new ConcurrentHashMap<>();

  Inventories(KindIndex kinds) {
    this.kinds = kinds;
  }

  Inventory of(TargetCluster target, DeployedRelease release) throws IOException {
    var key = key(release.namespace(), release.name().value());
    var known = byRelease.get(key);
    if (known != null && known.revision() == release.revision()) {
      return known;
    }
    var objects =
        manifest(target, release).objects().stream()
            .map(it -> reference(it, release.namespace()))
            .toList();
    var inventory = new Inventory(release.revision(), objects);
    byRelease.put(key, inventory);
    return inventory;
  }

  void forget(String namespace, String release) {
    byRelease.remove(key(namespace, release));
  }

  /** The rendered objects, read anew: they may hold Secrets and are not kept. */
  Manifest manifest(TargetCluster target, DeployedRelease release) throws IOException {
    var name = ReleaseSecret.name(release.name(), release.revision());
    var secret = target.client().secrets().inNamespace(release.namespace()).withName(name).get();
    var payload = secret == null ? null : secret.getData().get(ReleaseSecret.PAYLOAD_KEY);
    if (payload == null) {
      throw new IOException("the Secret %s of release %s is gone".formatted(name, release.name()));
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
    var namespaced = kinds.find(kind).map(KindIndex.Served::namespaced).orElse(true);
    var named = object.namespace() == null ? releaseNamespace : object.namespace();
    return new ObjectRef(kind, namespaced ? named : "", object.name());
  }

  private static IOException unreadable(String secret, String reason) {
    return new IOException("the Secret %s cannot be read: %s".formatted(secret, reason));
  }

  private static String key(String namespace, String release) {
    return namespace + "/" + release;
  }
}
