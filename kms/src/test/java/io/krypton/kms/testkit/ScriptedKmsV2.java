// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.testkit;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.krypton.generated.kms.v2.DecryptRequest;
import io.krypton.generated.kms.v2.DecryptResponse;
import io.krypton.generated.kms.v2.EncryptRequest;
import io.krypton.generated.kms.v2.EncryptResponse;
import io.krypton.generated.kms.v2.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v2.StatusRequest;
import io.krypton.generated.kms.v2.StatusResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A KMS v2 service whose three answers a test can replace while it runs. */
public final class ScriptedKmsV2 extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
  private volatile Reply<StatusRequest, StatusResponse> onStatus;
  private volatile Reply<EncryptRequest, EncryptResponse> onEncrypt;
  private volatile Reply<DecryptRequest, DecryptResponse> onDecrypt;
  private final List<String> uids = new CopyOnWriteArrayList<>();

  /** Answers one call, or leaves it open for ever. */
  public interface Reply<Q, R> {
    void to(Q request, StreamObserver<R> answer);

    static <Q, R> Reply<Q, R> message(Function<Q, R> content) {
      return (request, answer) -> {
        answer.onNext(content.apply(request));
        answer.onCompleted();
      };
    }

    static <Q, R> Reply<Q, R> error(Status status) {
      return (_, answer) -> answer.onError(status.asRuntimeException());
    }

    static <Q, R> Reply<Q, R> never() {
      return (_, _) -> {};
    }
  }

  public ScriptedKmsV2() {
    this("key-1");
  }

  public ScriptedKmsV2(String keyId) {
    this.onStatus = Reply.message(_ -> ScriptedPlugin.ok(keyId));
    this.onEncrypt = Reply.message(request -> encrypted(keyId, request).build());
    this.onDecrypt =
        Reply.message(
            request ->
                DecryptResponse.newBuilder()
                    .setPlaintext(ScriptedPlugin.decrypt(request.getCiphertext()))
                    .build());
  }

  public static EncryptResponse.Builder encrypted(String keyId, EncryptRequest request) {
    return EncryptResponse.newBuilder()
        .setCiphertext(ScriptedPlugin.encrypt(request))
        .setKeyId(keyId);
  }

  public ScriptedKmsV2 onStatus(Reply<StatusRequest, StatusResponse> reply) {
    onStatus = reply;
    return this;
  }

  public ScriptedKmsV2 onEncrypt(Reply<EncryptRequest, EncryptResponse> reply) {
    onEncrypt = reply;
    return this;
  }

  public ScriptedKmsV2 onDecrypt(Reply<DecryptRequest, DecryptResponse> reply) {
    onDecrypt = reply;
    return this;
  }

  /** The key id that Status and Encrypt speak of from now on. */
  public ScriptedKmsV2 rotateTo(String keyId) {
    return onStatus(Reply.message(_ -> ScriptedPlugin.ok(keyId)))
        .onEncrypt(Reply.message(request -> encrypted(keyId, request).build()));
  }

  /** The uids of all Encrypt and Decrypt calls so far. */
  public List<String> uids() {
    return uids;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
    onStatus.to(request, answer);
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> answer) {
    uids.add(request.getUid());
    onEncrypt.to(request, answer);
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
    uids.add(request.getUid());
    onDecrypt.to(request, answer);
  }
}
