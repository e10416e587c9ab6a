// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

/** Labels of Krypton on namespaces, Helm releases and Leases. */
public final class Labels {
  private static final String PREFIX = KryptonApi.GROUP + "/";

  /** On a namespace or release: the UID of the object it belongs to. */
  public static final String OWNER_UID = PREFIX + "owner-uid";

  /** On a namespace: the kind of the object it belongs to. */
  public static final String OWNER_KIND = PREFIX + "owner-kind";

  /** On a namespace, set by whoever may: {@link #WORKSPACE_ALLOWED} lets releases go into it. */
  public static final String WORKSPACE = PREFIX + "workspace";

  /** The value of {@link #WORKSPACE} that counts. */
  public static final String WORKSPACE_ALLOWED = "allowed";

  /** On a release: the first 63 characters of the fingerprint, the limit of label values. */
  public static final String FINGERPRINT = PREFIX + "fingerprint";

  /** On a release: the random id of the operator process that ran Helm. */
  public static final String INSTANCE = PREFIX + "instance";

  /**
   * On a release: the number of the revision it was written for. Helm copies labels from one
   * revision to the next; where this one names another revision, they say nothing.
   */
  public static final String REVISION = PREFIX + "revision";

  /** On a release: the first 63 characters of the hash of the revision of its class. */
  public static final String CLASS_REVISION = PREFIX + "class-revision";

  /** On a stored revision of a TenantClass, and on a ChartRollout: the name of the class. */
  public static final String CLASS = PREFIX + "class";

  /** On a reporter's Lease: the kind of object the reporter writes to. */
  public static final String KMS_TARGET = PREFIX + "kms-target";

  private Labels() {}
}
