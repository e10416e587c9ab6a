// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a plugin of the lab does, changeable while it runs; "encryption" reverses the bytes. */
public final class Manners {
  volatile String version = "v2";
  volatile String healthz = "ok";
  volatile String statusKey = "key-1";
  volatile String encryptKey = "key-1";
  volatile boolean garbage;
  volatile boolean hang;
  volatile boolean serving = true;
  private volatile @Nullable Status statusError;
  private volatile @Nullable Status encryptError;
  private final AtomicInteger encryptFailures = new AtomicInteger();
  private volatile @Nullable Status decryptError;

  /** The calls of the API. */
  enum Call {
    STATUS,
    ENCRYPT,
    DECRYPT
  }

  public Manners version(String word) {
    version = word;
    return this;
  }

  public Manners healthz(String word) {
    healthz = word;
    return this;
  }

  public Manners key(String id) {
    statusKey = id;
    encryptKey = id;
    return this;
  }

  public Manners statusKeyOnly(String id) {
    statusKey = id;
    return this;
  }

  public Manners garbage(boolean on) {
    garbage = on;
    return this;
  }

  public Manners hang(boolean on) {
    hang = on;
    return this;
  }

  public Manners serving(boolean on) {
    serving = on;
    return this;
  }

  public Manners failStatus(@Nullable Status error) {
    statusError = error;
    return this;
  }

  public Manners failEncrypt(@Nullable Status error) {
    return failEncrypt(error, Integer.MAX_VALUE);
  }

  /** Fails so many calls, and then no more. */
  public Manners failEncrypt(@Nullable Status error, int times) {
    encryptFailures.set(times);
    encryptError = error;
    return this;
  }

  public Manners failDecrypt(@Nullable Status error) {
    decryptError = error;
    return this;
  }

  <R> void answer(Call call, StreamObserver<R> to, Supplier<R> content) {
    if (hang) {
      return;
    }
    var error =
        switch (call) {
          case STATUS -> statusError;
          case ENCRYPT -> encryptFailures.getAndUpdate(Manners::less) > 0 ? encryptError : null;
          case DECRYPT -> decryptError;
        };
    if (error != null) {
      to.onError(error.asRuntimeException());
      return;
    }
    to.onNext(content.get());
    to.onCompleted();
  }

  private static int less(int left) {
    return Math.max(0, left - 1);
  }

  ByteString encrypt(ByteString plaintext) {
    return ByteString.copyFromUtf8("c").concat(reversed(plaintext));
  }

  ByteString decrypt(ByteString ciphertext) {
    var plaintext = reversed(ciphertext.substring(1));
    return garbage ? reversed(plaintext) : plaintext;
  }

  private static ByteString reversed(ByteString bytes) {
    var reversed = new byte[bytes.size()];
    for (int i = 0; i < reversed.length; i++) {
      reversed[i] = bytes.byteAt(reversed.length - 1 - i);
    }
    return ByteString.copyFrom(reversed);
  }
}
