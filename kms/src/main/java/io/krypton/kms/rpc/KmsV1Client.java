// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import com.google.protobuf.ByteString;
import io.krypton.generated.kms.v1beta1.DecryptRequest;
import io.krypton.generated.kms.v1beta1.EncryptRequest;
import io.krypton.generated.kms.v1beta1.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v1beta1.VersionRequest;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import java.time.Duration;
import java.util.Map;

/** The v1 API, which calls itself v1beta1 on the wire. */
record KmsV1Client(SharedChannel channel) implements KmsClient {
  private static final String VERSION = "v1beta1";

  @Override
  public KmsApiVersion api() {
    return KmsApiVersion.V1;
  }

  @Override
  public RpcResult<PluginStatus> status(Duration deadline) throws InterruptedException {
    var request = VersionRequest.newBuilder().setVersion(VERSION).build();
    return channel
        .call(KeyManagementServiceGrpc.getVersionMethod(), request, deadline)
        .map(version -> new PluginStatus(version.getVersion(), "", ""));
  }

  @Override
  public RpcResult<EncryptedSample> encrypt(byte[] plaintext, Duration deadline)
      throws InterruptedException {
    var request =
        EncryptRequest.newBuilder()
            .setVersion(VERSION)
            .setPlain(ByteString.copyFrom(plaintext))
            .build();
    return channel
        .call(KeyManagementServiceGrpc.getEncryptMethod(), request, deadline)
        .map(e -> new EncryptedSample("", e.getCipher().toByteArray(), Map.of()));
  }

  @Override
  public RpcResult<byte[]> decrypt(EncryptedSample sample, Duration deadline)
      throws InterruptedException {
    var request =
        DecryptRequest.newBuilder()
            .setVersion(VERSION)
            .setCipher(ByteString.copyFrom(sample.ciphertext()))
            .build();
    return channel
        .call(KeyManagementServiceGrpc.getDecryptMethod(), request, deadline)
        .map(d -> d.getPlain().toByteArray());
  }
}
