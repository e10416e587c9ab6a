package io.krypton.kms.probe;

import io.krypton.kms.protocol.RpcCode;
import java.time.Duration;

/** One call to a plugin, for metrics; Encrypt and Decrypt cost money at a remote KMS. */
public record CallRecord(Operation operation, RpcCode code, Duration took) {

  /** What was called; Status stands for Version of the v1 API, too. */
  public enum Operation {
    STATUS,
    ENCRYPT,
    DECRYPT
  }
}
