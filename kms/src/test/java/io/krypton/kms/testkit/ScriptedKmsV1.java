// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.testkit;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.krypton.generated.kms.v1beta1.DecryptRequest;
import io.krypton.generated.kms.v1beta1.DecryptResponse;
import io.krypton.generated.kms.v1beta1.EncryptRequest;
import io.krypton.generated.kms.v1beta1.EncryptResponse;
import io.krypton.generated.kms.v1beta1.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v1beta1.VersionRequest;
import io.krypton.generated.kms.v1beta1.VersionResponse;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A KMS v1beta1 service whose answers a test can replace. */
public final class ScriptedKmsV1 extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
  private final List<String> versions = new CopyOnWriteArrayList<>();
  private volatile String version = "v1beta1";
  private volatile Reply<EncryptRequest, EncryptResponse> onEncrypt =
      Reply.message(
          request ->
              EncryptResponse.newBuilder()
                  .setCipher(ByteString.copyFromUtf8("c").concat(request.getPlain()))
                  .build());

  public ScriptedKmsV1 version(String spoken) {
    version = spoken;
    return this;
  }

  public ScriptedKmsV1 onEncrypt(Reply<EncryptRequest, EncryptResponse> reply) {
    onEncrypt = reply;
    return this;
  }

  /** The version field of all requests so far. */
  public List<String> versions() {
    return versions;
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> answer) {
    versions.add(request.getVersion());
    answer.onNext(VersionResponse.newBuilder().setVersion(version).build());
    answer.onCompleted();
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> answer) {
    versions.add(request.getVersion());
    onEncrypt.to(request, answer);
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
    versions.add(request.getVersion());
    answer.onNext(DecryptResponse.newBuilder().setPlain(request.getCipher().substring(1)).build());
    answer.onCompleted();
  }
}
