// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import java.util.regex.Pattern;

/**
 * Which namespaces a rollout may use, as the API server checks it (CEL) and as Java does for
 * objects that were stored before the rules, or under the CRD of somebody else.
 */
public final class NamespaceRules {
  private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /** Begins a rule for new objects only; the rule needs {@code optionalOldSelf}. */
  public static final String WHEN_NEW = "oldSelf.hasValue() || ";

  public static final String NAME_IS_LABEL =
      "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$')";

  public static final String NAME_IS_FREE =
      "!(self.metadata.name == 'default' || self.metadata.name.startsWith('kube-')"
          + " || self.metadata.name.startsWith('openshift'))";

  public static final String VALUE_IS_FREE =
      "!(self == 'default' || self.startsWith('kube-') || self.startsWith('openshift'))";

  public static final String RESERVED = "this namespace is reserved";

  private NamespaceRules() {}

  public static boolean isReserved(String namespace) {
    return namespace.equals("default")
        || namespace.startsWith("kube-")
        || namespace.startsWith("openshift");
  }

  public static boolean isLabel(String namespace) {
    return DNS_LABEL.matcher(namespace).matches();
  }
}
