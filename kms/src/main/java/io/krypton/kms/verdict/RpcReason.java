package io.krypton.kms.verdict;

import io.krypton.kms.protocol.RpcCode;

/** The reason that a gRPC status code stands for. */
public final class RpcReason {
  private RpcReason() {}

  /** UNKNOWN is no refusal, because many plugins return it for everything. */
  public static Reason of(RpcCode code) {
    return switch (code) {
      case DEADLINE_EXCEEDED -> Reason.TIMEOUT;
      case UNIMPLEMENTED -> Reason.UNIMPLEMENTED;
      case UNAUTHENTICATED -> Reason.UNAUTHENTICATED;
      case UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED, CANCELLED, INTERNAL, UNKNOWN, ALREADY_EXISTS ->
          Reason.RPC_ERROR;
      case PERMISSION_DENIED,
          FAILED_PRECONDITION,
          NOT_FOUND,
          INVALID_ARGUMENT,
          OUT_OF_RANGE,
          DATA_LOSS ->
          Reason.RPC_REFUSED;
      case OK -> throw new IllegalArgumentException("OK is no failure");
    };
  }
}
