package io.krypton.kms.probe;

import io.krypton.kms.probe.CallRecord.Operation;
import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.KmsClient;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.protocol.RpcCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The calls of one probe, with what became of each. */
final class RecordedCalls {
  private final Ticker ticker;
  private final List<CallRecord> records = new ArrayList<>();

  private interface Call<T> {
    Answer<T> make() throws InterruptedException;
  }

  RecordedCalls(Ticker ticker) {
    this.ticker = ticker;
  }

  List<CallRecord> records() {
    return List.copyOf(records);
  }

  Answer<PluginStatus> status(KmsClient client, Duration deadline) throws InterruptedException {
    return record(Operation.STATUS, () -> client.status(deadline));
  }

  Answer<EncryptedSample> encrypt(KmsClient client, byte[] plaintext, Duration deadline)
      throws InterruptedException {
    return record(Operation.ENCRYPT, () -> client.encrypt(plaintext, deadline));
  }

  Answer<byte[]> decrypt(KmsClient client, EncryptedSample sample, Duration deadline)
      throws InterruptedException {
    return record(Operation.DECRYPT, () -> client.decrypt(sample, deadline));
  }

  private <T> Answer<T> record(Operation operation, Call<T> call) throws InterruptedException {
    var start = ticker.now();
    var answer = call.make();
    records.add(new CallRecord(operation, code(answer), ticker.now().minus(start)));
    return answer;
  }

  private static RpcCode code(Answer<?> answer) {
    return switch (answer) {
      case Answer.Message<?> message -> RpcCode.OK;
      case Answer.Failure<?>(CallFailure.Rpc rpc) -> rpc.code();
      case Answer.Failure<?>(CallFailure.NoMessage none) -> RpcCode.OK;
      case Answer.Failure<?>(CallFailure.NoConnection none) -> RpcCode.UNAVAILABLE;
      case Answer.Failure<?>(CallFailure.NotGrpc other) -> RpcCode.UNAVAILABLE;
    };
  }
}
