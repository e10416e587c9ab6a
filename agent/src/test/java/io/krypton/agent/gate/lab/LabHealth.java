// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.grpc.stub.StreamObserver;
import io.krypton.generated.grpchealth.v1.HealthCheckRequest;
import io.krypton.generated.grpchealth.v1.HealthCheckResponse;
import io.krypton.generated.grpchealth.v1.HealthCheckResponse.ServingStatus;
import io.krypton.generated.grpchealth.v1.HealthGrpc;

/** The health service of a plugin of the lab. */
final class LabHealth extends HealthGrpc.HealthImplBase {
  private final Manners manners;

  LabHealth(Manners manners) {
    this.manners = manners;
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
    answer.onNext(
        HealthCheckResponse.newBuilder()
            .setStatus(manners.serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
            .build());
    answer.onCompleted();
  }
}
