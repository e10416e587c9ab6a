// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.kube.CredentialSource.CredentialState;

/** Ends the reading of credentials; becomes {@link CredentialState.NotYet} at the border. */
final class UnusableCredentialsException extends Exception {
  UnusableCredentialsException(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
