// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import com.google.protobuf.ByteString;
import io.krypton.generated.kms.v2.DecryptRequest;
import io.krypton.generated.kms.v2.EncryptRequest;
import io.krypton.generated.kms.v2.EncryptResponse;
import io.krypton.generated.kms.v2.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v2.StatusRequest;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The v2 API. Every Encrypt and Decrypt carries a fresh uid, as plugins may insist on one. */
record KmsV2Client(SharedChannel channel) implements KmsClient {

  @Override
  public KmsApiVersion api() {
    return KmsApiVersion.V2;
  }

  @Override
  public RpcResult<PluginStatus> status(Duration deadline) throws InterruptedException {
    var rpcResult =
        channel.call(
            KeyManagementServiceGrpc.getStatusMethod(),
            StatusRequest.getDefaultInstance(),
            deadline);
    return rpcResult.map(s -> new PluginStatus(s.getVersion(), s.getHealthz(), s.getKeyId()));
  }

  @Override
  public RpcResult<EncryptedSample> encrypt(byte[] plaintext, Duration deadline)
      throws InterruptedException {
    var request =
        EncryptRequest.newBuilder()
            .setPlaintext(ByteString.copyFrom(plaintext))
            .setUid(freshUid())
            .build();
    return channel
        .call(KeyManagementServiceGrpc.getEncryptMethod(), request, deadline)
        .map(KmsV2Client::sample);
  }

  @Override
  public RpcResult<byte[]> decrypt(EncryptedSample sample, Duration deadline)
      throws InterruptedException {
    var request =
        DecryptRequest.newBuilder()
            .setCiphertext(ByteString.copyFrom(sample.ciphertext()))
            .setUid(freshUid())
            .setKeyId(sample.keyId());
    sample.annotations().forEach((k, v) -> request.putAnnotations(k, ByteString.copyFrom(v)));
    return channel
        .call(KeyManagementServiceGrpc.getDecryptMethod(), request.build(), deadline)
        .map(d -> d.getPlaintext().toByteArray());
  }

  private static EncryptedSample sample(EncryptResponse response) {
    var annotations =
        response.getAnnotationsMap().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().toByteArray()));
    return new EncryptedSample(
        response.getKeyId(), response.getCiphertext().toByteArray(), annotations);
  }

  private static String freshUid() {
    return UUID.randomUUID().toString();
  }
}
