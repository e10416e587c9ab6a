// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

/** The names by which the operator hands a TLS profile to the servers that consume it. */
public final class TlsProfileNames {
  public static final String CONFIG_MAP = "krypton-tls-profile";
  public static final String CONFIG_MAP_KEY = "profile.json";

  public static final String PROFILE_MOUNT = "/etc/krypton/tls";
  public static final String POD_INFO_MOUNT = "/etc/krypton/podinfo";
  public static final String POD_INFO_ANNOTATIONS = "annotations";
  public static final String SERVING_MOUNT = "/etc/krypton/serving";

  /** On the pod template and on the ConfigMap. */
  public static final String HASH_ANNOTATION = KryptonApi.GROUP + "/tls-profile-hash";

  /** On the ConfigMap: the platform that was last detected. */
  public static final String PLATFORM_ANNOTATION = KryptonApi.GROUP + "/platform";

  /** On a Deployment: the container that gets the profile; absent means the first one. */
  public static final String CONTAINER_ANNOTATION = KryptonApi.GROUP + "/tls-profile-container";

  /** On a Deployment that wants the profile, with the value {@link #CONSUME}. */
  public static final String OPT_IN_LABEL = KryptonApi.GROUP + "/tls-profile";

  public static final String CONSUME = "consume";

  /** Which platform a consumer runs on, {@code true} or {@code false}. */
  public static final String IS_OPENSHIFT = "IS_OPENSHIFT";

  /** The same by name; it wins over {@link #IS_OPENSHIFT}. */
  public static final String PLATFORM_VARIABLE = "KRYPTON_PLATFORM";

  public static final String PROFILE_SOURCE_VARIABLE = "KRYPTON_TLS_PROFILE_SOURCE";
  public static final String METRICS_AUTH_VARIABLE = "KRYPTON_METRICS_AUTH";

  /** Volumes of a consumer. */
  public static final String PROFILE_VOLUME = CONFIG_MAP;

  public static final String POD_INFO_VOLUME = "krypton-podinfo";

  public static final String FIELD_MANAGER = "krypton-tls-profile";

  private TlsProfileNames() {}
}
