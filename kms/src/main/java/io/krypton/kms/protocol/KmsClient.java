package io.krypton.kms.protocol;

import java.time.Duration;

/**
 * One plugin seen through one generation of the API. Each call has a deadline, fails fast, and is
 * made once; an interrupt cancels it.
 */
public interface KmsClient {

  KmsApi api();

  /** Status, or Version for the v1 API. */
  Answer<PluginStatus> status(Duration deadline) throws InterruptedException;

  Answer<EncryptedSample> encrypt(byte[] plaintext, Duration deadline) throws InterruptedException;

  Answer<byte[]> decrypt(EncryptedSample sample, Duration deadline) throws InterruptedException;
}
