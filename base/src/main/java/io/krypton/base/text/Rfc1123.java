// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import java.util.regex.Pattern;

/** Names of Kubernetes objects: lower-case DNS labels and subdomains by RFC 1123. */
public final class Rfc1123 {
  public static final int MAX_LABEL = 63;
  public static final int MAX_SUBDOMAIN = 253;

  private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[-a-z0-9]*+(?<!-))?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile(LABEL.pattern() + "(?:\\." + LABEL.pattern() + ")*+");

  private Rfc1123() {}

  /** A namespace, for example: at most 63 characters and no dot. */
  public static boolean isLabel(String name) {
    return name.length() <= MAX_LABEL && LABEL.matcher(name).matches();
  }

  /**
   * The name of a node or of most objects: labels with dots between them, at most 253 characters.
   * As in Kubernetes, only the whole has a limit, not each label.
   */
  public static boolean isSubdomain(String name) {
    return name.length() <= MAX_SUBDOMAIN && SUBDOMAIN.matcher(name).matches();
  }
}
