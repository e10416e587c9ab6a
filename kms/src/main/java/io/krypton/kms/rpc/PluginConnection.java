// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.krypton.generated.grpchealth.v1.HealthCheckRequest;
import io.krypton.generated.grpchealth.v1.HealthCheckResponse;
import io.krypton.generated.grpchealth.v1.HealthGrpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import java.time.Duration;
import java.util.Optional;

/** A share in the connection to one endpoint. Nothing is connected before the first call. */
public final class PluginConnection implements AutoCloseable {
  private final Endpoint endpoint;
  private final SharedChannel channel;
  private final Runnable onClose;

  PluginConnection(Endpoint endpoint, SharedChannel channel, Runnable onClose) {
    this.endpoint = endpoint;
    this.channel = channel;
    this.onClose = onClose;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public KmsClient client(KmsApiVersion api) {
    return switch (api) {
      case V1 -> new KmsV1Client(channel);
      case V2 -> new KmsV2Client(channel);
    };
  }

  /** Whether a connection stands at this moment. */
  public boolean isUp() {
    return channel.isUp();
  }

  /**
   * Connects once and hangs up, beside the connection of the calls; takes a second at most. Meant
   * for a socket that is known to fail, so that a healthy plugin sees no extra connections.
   */
  public Optional<NoConnection> checkSocket() {
    return channel.socketCheck().tryConnect();
  }

  /** Asks the standard health service of gRPC, which plugins may have beside the KMS service. */
  public RpcResult<ServingStatus> health(String service, Duration deadline)
      throws InterruptedException {
    var request = HealthCheckRequest.newBuilder().setService(service).build();
    return channel
        .call(HealthGrpc.getCheckMethod(), request, deadline)
        .map(HealthCheckResponse::getStatus)
        .map(PluginConnection::serving);
  }

  private static ServingStatus serving(HealthCheckResponse.ServingStatus status) {
    return switch (status) {
      case SERVING -> ServingStatus.SERVING;
      case NOT_SERVING -> ServingStatus.NOT_SERVING;
      case SERVICE_UNKNOWN -> ServingStatus.SERVICE_UNKNOWN;
      case UNKNOWN, UNRECOGNIZED -> ServingStatus.UNKNOWN;
    };
  }

  @Override
  public void close() {
    onClose.run();
  }

  /** The answer of the standard gRPC health service; {@code UNKNOWN} stands for what it may add. */
  public enum ServingStatus {
    UNKNOWN,
    SERVING,
    NOT_SERVING,
    SERVICE_UNKNOWN
  }
}
