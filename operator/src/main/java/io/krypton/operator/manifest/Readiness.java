package io.krypton.operator.manifest;

/** Whether a workload has reached what its spec asks for. */
public sealed interface Readiness {

  record Ready() implements Readiness {}

  /** {@code shown}: object and progress for a message. */
  record NotReady(String shown) implements Readiness {}

  /** It will not get ready by itself. */
  record Failed(String shown) implements Readiness {}
}
