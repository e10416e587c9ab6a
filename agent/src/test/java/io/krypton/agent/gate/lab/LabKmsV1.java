// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.grpc.stub.StreamObserver;
import io.krypton.agent.gate.lab.Manners.Call;
import io.krypton.generated.kms.v1beta1.DecryptRequest;
import io.krypton.generated.kms.v1beta1.DecryptResponse;
import io.krypton.generated.kms.v1beta1.EncryptRequest;
import io.krypton.generated.kms.v1beta1.EncryptResponse;
import io.krypton.generated.kms.v1beta1.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v1beta1.VersionRequest;
import io.krypton.generated.kms.v1beta1.VersionResponse;

/** The v1 side of a plugin of the lab. */
final class LabKmsV1 extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
  private final Manners manners;

  LabKmsV1(Manners manners) {
    this.manners = manners;
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> answer) {
    manners.answer(
        Call.STATUS,
        answer,
        () -> VersionResponse.newBuilder().setVersion("v1beta1").setRuntimeName("lab").build());
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> answer) {
    manners.answer(
        Call.ENCRYPT,
        answer,
        () -> EncryptResponse.newBuilder().setCipher(manners.encrypt(request.getPlain())).build());
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
    manners.answer(
        Call.DECRYPT,
        answer,
        () -> DecryptResponse.newBuilder().setPlain(manners.decrypt(request.getCipher())).build());
  }
}
