package io.krypton.kms.protocol;

import java.util.Map;

/**
 * What Encrypt returned, and what Decrypt wants back to the byte. Key id and annotations are empty
 * for the v1 API. The arrays are shared with the caller, who leaves them as they are.
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
