package io.krypton.agent.publish;

/** Ends the reading of credentials; becomes {@link AccessState.NotYet} at the border. */
final class UnusableAccess extends Exception {
  UnusableAccess(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
