// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * One plugin seen through one generation of the API. Each call has a deadline, fails fast, and is
 * made once; an interrupt cancels it.
 */
public interface KmsClient {

  KmsApiVersion api();

  /** Status, or Version for the v1 API. */
  RpcResult<PluginStatus> status(Duration deadline) throws InterruptedException;

  RpcResult<EncryptedSample> encrypt(byte[] plaintext, Duration deadline)
      throws InterruptedException;

  RpcResult<byte[]> decrypt(EncryptedSample sample, Duration deadline) throws InterruptedException;

  /**
   * What Encrypt returned, and what Decrypt wants back to the byte. Key id and annotations are
   * empty for the v1 API. The arrays are shared with the caller, who leaves them as they are.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody; copying would only cost memory
  public record EncryptedSample(String keyId, byte[] ciphertext, Map<String, byte[]> annotations) {
    public EncryptedSample {
      annotations = Map.copyOf(annotations);
    }

    /** Sizes only: none of the contents may reach a log or a message. */
    @Override
    public String toString() {
      return "EncryptedSample[%d bytes, %d annotations]"
          .formatted(ciphertext.length, annotations.size());
    }
  }

  /**
   * A plugin's answer to Status, or to Version for the v1 API, which knows neither health nor key
   * id: both are empty there.
   */
  record PluginStatus(String version, String healthz, String keyId) {

    /** Leaves the key id out: it may be shown as a hash only. */
    @Override
    public String toString() {
      return "PluginStatus[version=" + version + ", healthz=" + healthz + "]";
    }
  }

  /** What came of one call: a message or the reason for having none. */
  sealed interface RpcResult<T> {

    record Success<T>(T content) implements RpcResult<T> {}

    record Failure<T>(CallFailure why) implements RpcResult<T> {}

    default <U> RpcResult<U> map(Function<T, U> change) {
      return switch (this) {
        case Success<T>(T content) -> new Success<>(change.apply(content));
        case Failure<T>(CallFailure why) -> new Failure<>(why);
      };
    }
  }
}
