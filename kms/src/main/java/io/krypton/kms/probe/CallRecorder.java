// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.probe.PluginProbeResult.CallRecord;
import io.krypton.kms.probe.PluginProbeResult.CallRecord.Operation;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.KmsClient;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The calls of one probe, with what became of each. */
final class CallRecorder {
  private final Ticker ticker;
  private final List<CallRecord> records = new ArrayList<>();

  private interface Call<T> {
    RpcResult<T> make() throws InterruptedException;
  }

  CallRecorder(Ticker ticker) {
    this.ticker = ticker;
  }

  List<CallRecord> records() {
    return List.copyOf(records);
  }

  RpcResult<PluginStatus> status(KmsClient client, Duration deadline) throws InterruptedException {
    return record(Operation.STATUS, () -> client.status(deadline));
  }

  RpcResult<EncryptedSample> encrypt(KmsClient client, byte[] plaintext, Duration deadline)
      throws InterruptedException {
    return record(Operation.ENCRYPT, () -> client.encrypt(plaintext, deadline));
  }

  RpcResult<byte[]> decrypt(KmsClient client, EncryptedSample sample, Duration deadline)
      throws InterruptedException {
    return record(Operation.DECRYPT, () -> client.decrypt(sample, deadline));
  }

  private <T> RpcResult<T> record(Operation operation, Call<T> call) throws InterruptedException {
    var start = ticker.now();
    var rpcResult = call.make();
    records.add(new CallRecord(operation, code(rpcResult), ticker.now().minus(start)));
    return rpcResult;
  }

  private static RpcCode code(RpcResult<?> rpcResult) {
    return switch (rpcResult) {
      case RpcResult.Success<?> success -> RpcCode.OK;
      case RpcResult.Failure<?>(CallFailure.Rpc rpc) -> rpc.code();
      case RpcResult.Failure<?>(CallFailure.NoMessage none) -> RpcCode.OK;
      case RpcResult.Failure<?>(CallFailure.NoConnection none) -> RpcCode.UNAVAILABLE;
      case RpcResult.Failure<?>(CallFailure.NotGrpc other) -> RpcCode.UNAVAILABLE;
    };
  }
}
