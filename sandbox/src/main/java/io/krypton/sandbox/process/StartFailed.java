package io.krypton.sandbox.process;

/** A server did not become ready; the message ends with the last lines of its log. */
public final class StartFailed extends RuntimeException {
  StartFailed(String message) {
    super(message);
  }
}
