// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

/** Annotations of Krypton on Tenants, KryptonDeployments, namespaces and CRDs. */
public final class Annotations {
  private static final String PREFIX = KryptonApi.GROUP + "/";
  private static final int NAME_LIMIT = 63;

  /** On a namespace Krypton created: {@code <kind>/<namespace>/<name>} of its owner. */
  public static final String OWNER = PREFIX + "owner";

  /** {@code true} once the cleanup of a deleted object has begun. */
  public static final String DELETING = PREFIX + "deleting";

  /** A new value asks for a reconcile now. */
  public static final String REQUESTED_AT = PREFIX + "requestedAt";

  /** A new value asks for one Helm run even if nothing changed. */
  public static final String FORCE_AT = PREFIX + "forceAt";

  /** On a ChartRollout: a new value asks to go on after a halt, or to try a refused revision. */
  public static final String RETRY_AT = PREFIX + "retryAt";

  /** On a Tenant or KryptonDeployment: the ChartRollout that it is to get ahead of its wave. */
  public static final String PROMOTE = PREFIX + "promote";

  /** What deletion does to release and namespace. */
  public static final String DELETION_POLICY = PREFIX + "deletion-policy";

  /** Value of {@link #DELETION_POLICY}: release and namespace stay. */
  public static final String ORPHAN = "orphan";

  /**
   * On a KryptonDeployment whose served definition has no place for it in the status: where it is,
   * then where it may have left something, with commas between.
   */
  public static final String TARGETS = PREFIX + "targets";

  /** On a deployed object: whether drift is looked for. */
  public static final String DRIFT_DETECTION = PREFIX + "drift-detection";

  /** Value of {@link #DRIFT_DETECTION}: the object may differ from its chart. */
  public static final String DISABLED = "disabled";

  /** On the Secret of a release: the Jobs of that revision that have finished. */
  public static final String FINISHED_JOBS = PREFIX + "finished-jobs";

  /** On our CRDs: grows with every change of the CRD's spec. */
  public static final String CRD_VERSION = PREFIX + "crd-version";

  /** On our CRDs: SHA-256 of the spec as this version of Krypton wrote it. */
  public static final String CRD_HASH = PREFIX + "crd-hash";

  private Annotations() {}

  /** Where an object keeps what was last rolled out to a cluster. */
  public static String fingerprint(String cluster) {
    return PREFIX + NameShortener.shorten("fingerprint-" + cluster, NAME_LIMIT);
  }
}
