// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

/** Ends the reading of a kubeconfig early; never leaves this package. */
final class KubeconfigException extends Exception {
  private final String reason;

  /** A cause is not taken on purpose: messages of YAML and key parsers quote their input. */
  KubeconfigException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
