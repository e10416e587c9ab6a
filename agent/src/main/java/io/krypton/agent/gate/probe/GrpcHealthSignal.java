// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import io.krypton.kms.rpc.PluginConnection.ServingStatus;
import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import java.util.Optional;

/**
 * The standard health service of gRPC, if the plugin has one. It can object, never heal. A plugin
 * that does not know it is not asked again until its connection is a new one.
 */
final class GrpcHealthSignal implements StatusSignal {
  private static final String WHOLE_SERVER = "";

  private final KmsApiVersion api;
  private final Duration timeout;
  private boolean unsupported;

  private enum ServingState {
    SERVING,
    NOT_SERVING,
    NONE,
    ERROR
  }

  GrpcHealthSignal(KmsApiVersion api, Duration timeout) {
    this.api = api;
    this.timeout = timeout;
  }

  @Override
  public Optional<ProbeFinding> check(RpcResult<PluginStatus> status, PluginConnection connection)
      throws InterruptedException {
    if (!connection.isUp()) {
      unsupported = false;
      return Optional.empty();
    }
    if (unsupported) {
      return Optional.empty();
    }
    var servingState = servingState(connection, api.service());
    if (servingState == ServingState.NONE) {
      servingState = servingState(connection, WHOLE_SERVER);
      unsupported = servingState == ServingState.NONE;
    }
    return servingState == ServingState.NOT_SERVING ? Optional.of(finding()) : Optional.empty();
  }

  private static ProbeFinding finding() {
    var reason = Reason.NOT_SERVING;
    return new ProbeFinding(
        reason,
        ProbePhase.GRPC_HEALTH,
        "",
        reason.verdict(),
        "the health service says NOT_SERVING",
        reason.hint());
  }

  private ServingState servingState(PluginConnection connection, String service)
      throws InterruptedException {
    return switch (connection.health(service, timeout)) {
      case RpcResult.Success<ServingStatus>(ServingStatus serving) ->
          switch (serving) {
            case SERVING -> ServingState.SERVING;
            case NOT_SERVING -> ServingState.NOT_SERVING;
            case UNKNOWN, SERVICE_UNKNOWN -> ServingState.NONE;
          };
      case RpcResult.Failure<ServingStatus>(CallFailure.Rpc rpc)
          when rpc.code() == RpcCode.UNIMPLEMENTED || rpc.code() == RpcCode.NOT_FOUND ->
          ServingState.NONE;
      case RpcResult.Failure<ServingStatus> _ -> ServingState.ERROR;
    };
  }
}
