// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.grpc.stub.StreamObserver;
import io.krypton.agent.gate.lab.Manners.Call;
import io.krypton.generated.kms.v2.DecryptRequest;
import io.krypton.generated.kms.v2.DecryptResponse;
import io.krypton.generated.kms.v2.EncryptRequest;
import io.krypton.generated.kms.v2.EncryptResponse;
import io.krypton.generated.kms.v2.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v2.StatusRequest;
import io.krypton.generated.kms.v2.StatusResponse;

/** The v2 side of a plugin of the lab. */
final class LabKmsV2 extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
  private final Manners manners;

  LabKmsV2(Manners manners) {
    this.manners = manners;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
    manners.answer(
        Call.STATUS,
        answer,
        () ->
            StatusResponse.newBuilder()
                .setVersion(manners.version)
                .setHealthz(manners.healthz)
                .setKeyId(manners.statusKey)
                .build());
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> answer) {
    manners.answer(
        Call.ENCRYPT,
        answer,
        () ->
            EncryptResponse.newBuilder()
                .setCiphertext(manners.encrypt(request.getPlaintext()))
                .setKeyId(manners.encryptKey)
                .build());
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
    manners.answer(
        Call.DECRYPT,
        answer,
        () ->
            DecryptResponse.newBuilder()
                .setPlaintext(manners.decrypt(request.getCiphertext()))
                .build());
  }
}
