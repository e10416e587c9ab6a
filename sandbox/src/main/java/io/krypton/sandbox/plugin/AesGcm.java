package io.krypton.sandbox.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM, bound to the id of the key: a format byte, the nonce, then the data with its tag.
 */
final class AesGcm {
  private static final byte FORMAT = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private AesGcm() {}

  static byte[] encrypt(Key key, byte[] plaintext) throws GeneralSecurityException {
    var nonce = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    var sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce).doFinal(plaintext);
    return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
        .put(FORMAT)
        .put(nonce)
        .put(sealed)
        .array();
  }

  /** Throws {@link AEADBadTagException} for anything that this key did not encrypt. */
  static byte[] decrypt(Key key, byte[] ciphertext) throws GeneralSecurityException {
    if (ciphertext.length < 1 + NONCE_BYTES + TAG_BITS / 8 || ciphertext[0] != FORMAT) {
      throw new AEADBadTagException("not a ciphertext of this plugin");
    }
    var nonce = new byte[NONCE_BYTES];
    var bytes = ByteBuffer.wrap(ciphertext, 1, ciphertext.length - 1).get(nonce);
    var sealed = new byte[bytes.remaining()];
    bytes.get(sealed);
    return cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(sealed);
  }

  private static Cipher cipher(int mode, Key key, byte[] nonce) throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, new SecretKeySpec(key.material(), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(key.id().getBytes(UTF_8));
    return cipher;
  }
}
