// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import java.time.Instant;
import java.util.Comparator;

/** The object that a release, and perhaps its namespace, belongs to. */
public record Owner(Kind kind, String namespace, String name, String uid, Instant createdAt) {
  static final Comparator<Owner> BY_AGE =
      Comparator.comparing(Owner::createdAt).thenComparing(Owner::uid);

  /** Kinds of objects that own releases, spelled as Kubernetes does. */
  public enum Kind {
    TENANT("Tenant"),
    KRYPTON_DEPLOYMENT("KryptonDeployment");

    private final String value;

    Kind(String word) {
      this.value = word;
    }

    @Override
    public String toString() {
      return value;
    }
  }

  /** How a namespace names its owner: {@code Tenant/team-a/payments}. */
  public String reference() {
    return kind + "/" + namespace + "/" + name;
  }

  /** Whether the owner is an object in this namespace of the cluster that its release goes to. */
  boolean isIn(String workspace) {
    return kind == Kind.TENANT && namespace.equals(workspace);
  }

  /** Of two owners that want the same namespace the older one has it. */
  public boolean isOlderThan(Owner other) {
    return BY_AGE.compare(this, other) < 0;
  }
}
