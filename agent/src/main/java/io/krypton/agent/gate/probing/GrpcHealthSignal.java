package io.krypton.agent.gate.probing;

import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginConnection;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.protocol.ServingStatus;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import java.time.Duration;
import java.util.Optional;

/**
 * The standard health service of gRPC, if the plugin has one. It can object, never heal. A plugin
 * that does not know it is not asked again until its connection is a new one.
 */
final class GrpcHealthSignal implements StatusSignal {
  private static final String WHOLE_SERVER = "";

  private final KmsApi api;
  private final Duration timeout;
  private boolean knowsNothing;

  private enum Opinion {
    SERVING,
    NOT_SERVING,
    NONE,
    ERROR
  }

  GrpcHealthSignal(KmsApi api, Duration timeout) {
    this.api = api;
    this.timeout = timeout;
  }

  @Override
  public Optional<Finding> objection(Answer<PluginStatus> status, PluginConnection connection)
      throws InterruptedException {
    if (!connection.isUp()) {
      knowsNothing = false;
      return Optional.empty();
    }
    if (knowsNothing) {
      return Optional.empty();
    }
    var opinion = opinion(connection, api.service());
    if (opinion == Opinion.NONE) {
      opinion = opinion(connection, WHOLE_SERVER);
      knowsNothing = opinion == Opinion.NONE;
    }
    return opinion == Opinion.NOT_SERVING ? Optional.of(finding()) : Optional.empty();
  }

  private static Finding finding() {
    var reason = Reason.NOT_SERVING;
    return new Finding(
        reason,
        Phase.GRPC_HEALTH,
        "",
        reason.verdict(),
        "the health service says NOT_SERVING",
        reason.hint());
  }

  private Opinion opinion(PluginConnection connection, String service) throws InterruptedException {
    return switch (connection.health(service, timeout)) {
      case Answer.Message<ServingStatus>(ServingStatus serving) ->
          switch (serving) {
            case SERVING -> Opinion.SERVING;
            case NOT_SERVING -> Opinion.NOT_SERVING;
            case UNKNOWN, SERVICE_UNKNOWN -> Opinion.NONE;
          };
      case Answer.Failure<ServingStatus>(CallFailure.Rpc rpc)
          when rpc.code() == RpcCode.UNIMPLEMENTED || rpc.code() == RpcCode.NOT_FOUND ->
          Opinion.NONE;
      case Answer.Failure<ServingStatus> _ -> Opinion.ERROR;
    };
  }
}
