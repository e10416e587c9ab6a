package io.krypton.sandbox.process;

/** Asks a server once whether it is ready; an unreachable server is not ready. */
@FunctionalInterface
public interface Readiness {
  boolean isReady();
}
