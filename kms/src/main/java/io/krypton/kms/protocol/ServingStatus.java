package io.krypton.kms.protocol;

/** The answer of the standard gRPC health service; {@code UNKNOWN} stands for what it may add. */
public enum ServingStatus {
  UNKNOWN,
  SERVING,
  NOT_SERVING,
  SERVICE_UNKNOWN
}
