// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.generated.kms.v2.DecryptRequest;
import io.krypton.generated.kms.v2.DecryptResponse;
import io.krypton.generated.kms.v2.EncryptRequest;
import io.krypton.generated.kms.v2.EncryptResponse;
import io.krypton.generated.kms.v2.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v2.StatusRequest;
import io.krypton.generated.kms.v2.StatusResponse;
import io.krypton.kms.rpc.RpcCode;
import io.krypton.sandbox.plugin.PluginFault.Call;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The answers of the plugin, right or wrong as its fault says. Texts name keys by hash only. */
final class PluginService extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
  /** With nonce, tag and format byte still within the 1024 bytes the API allows. */
  private static final int MAX_PLAINTEXT = 960;

  private static final int IMPOSSIBLE_KEY_ID = 1025;

  private final String version;
  private volatile KeyRing keys;
  private volatile KeyRing wrongKeys;
  private volatile PluginFault fault = new PluginFault.None();

  private interface Work<R> {
    R answer() throws StatusException, GeneralSecurityException;
  }

  PluginService(String version, KeyRing keys) {
    this.version = version;
    this.keys = keys;
    this.wrongKeys = keys;
  }

  void use(KeyRing ring) {
    keys = ring;
  }

  void use(PluginFault next) {
    if (next instanceof PluginFault.WrongKey) {
      wrongKeys = KeyRing.fresh(0, Clock.systemUTC().instant());
    }
    fault = next;
  }

  private KeyRing ring() {
    return fault instanceof PluginFault.WrongKey ? wrongKeys : keys;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
    respond(Call.STATUS, answer, this::status);
  }

  private StatusResponse status() {
    var response =
        StatusResponse.newBuilder()
            .setVersion(version)
            .setHealthz("ok")
            .setKeyId(ring().current().id());
    switch (fault) {
      case PluginFault.Unhealthy(String healthz) -> response.setHealthz(healthz);
      case PluginFault.Version(String other) -> response.setVersion(other);
      case PluginFault.BadKeyId(boolean tooLong) ->
          response.setKeyId(tooLong ? "x".repeat(IMPOSSIBLE_KEY_ID) : "");
      default -> {}
    }
    return response.build();
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> answer) {
    respond(
        Call.ENCRYPT,
        answer,
        () -> {
          requireUid(request.getUid());
          if (request.getPlaintext().size() > MAX_PLAINTEXT) {
            throw Status.INVALID_ARGUMENT
                .withDescription("plaintext is longer than %d bytes".formatted(MAX_PLAINTEXT))
                .asException();
          }
          var key = ring().current();
          var ciphertext = AesGcm.encrypt(key, request.getPlaintext().toByteArray());
          return EncryptResponse.newBuilder()
              .setCiphertext(ByteString.copyFrom(ciphertext))
              .setKeyId(key.id())
              .build();
        });
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
    respond(
        Call.DECRYPT,
        answer,
        () -> {
          requireUid(request.getUid());
          var hash = KeyHash.label(request.getKeyId());
          var key =
              ring()
                  .find(request.getKeyId())
                  .orElseThrow(
                      () -> Status.NOT_FOUND.withDescription("no key " + hash).asException());
          try {
            var plaintext = AesGcm.decrypt(key, request.getCiphertext().toByteArray());
            return DecryptResponse.newBuilder().setPlaintext(shown(plaintext)).build();
          } catch (AEADBadTagException e) {
            throw Status.DATA_LOSS.withDescription("not encrypted with key " + hash).asException();
          }
        });
  }

  private static void requireUid(String uid) throws StatusException {
    if (uid.isEmpty()) {
      throw Status.INVALID_ARGUMENT.withDescription("uid is required").asException();
    }
  }

  private ByteString shown(byte[] plaintext) {
    if (fault instanceof PluginFault.Garbage) {
      for (int i = 0; i < plaintext.length; i++) {
        plaintext[i] ^= 0x55;
      }
    }
    return ByteString.copyFrom(plaintext);
  }

  private <R> void respond(Call call, StreamObserver<R> answer, Work<R> work) {
    try {
      switch (fault) {
        case PluginFault.Hang() -> {
          return;
        }
        case PluginFault.Slow slow -> Thread.sleep(slow.delay());
        case PluginFault.Failing failing when failing.call() == call ->
            throw status(failing.code()).withDescription(failing.text()).asException();
        default -> {}
      }
      answer.onNext(work.answer());
      answer.onCompleted();
    } catch (StatusException e) {
      answer.onError(e);
    } catch (GeneralSecurityException e) {
      answer.onError(Status.INTERNAL.withDescription("cipher failed").asException());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.onError(Status.CANCELLED.asException());
    }
  }

  private static Status status(RpcCode code) {
    return Status.Code.valueOf(code.name()).toStatus();
  }

  /**
   * AES-256-GCM, bound to the id of the key: a format byte, the nonce, then the data with its tag.
   */
  static final class AesGcm {
    private static final byte FORMAT = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private AesGcm() {}

    static byte[] encrypt(KeyRing.Key key, byte[] plaintext) throws GeneralSecurityException {
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
    static byte[] decrypt(KeyRing.Key key, byte[] ciphertext) throws GeneralSecurityException {
      if (ciphertext.length < 1 + NONCE_BYTES + TAG_BITS / 8 || ciphertext[0] != FORMAT) {
        throw new AEADBadTagException("not a ciphertext of this plugin");
      }
      var nonce = new byte[NONCE_BYTES];
      var bytes = ByteBuffer.wrap(ciphertext, 1, ciphertext.length - 1).get(nonce);
      var sealed = new byte[bytes.remaining()];
      bytes.get(sealed);
      return cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(sealed);
    }

    private static Cipher cipher(int mode, KeyRing.Key key, byte[] nonce)
        throws GeneralSecurityException {
      var cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          mode, new SecretKeySpec(key.material(), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(key.id().getBytes(UTF_8));
      return cipher;
    }
  }
}
