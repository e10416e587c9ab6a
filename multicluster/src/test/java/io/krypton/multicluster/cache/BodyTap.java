// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps a copy of every byte that the server sends. */
final class BodyTap implements Interceptor {
  private final Queue<String> received = new ConcurrentLinkedQueue<>();

  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    return (buffers, body) -> {
      buffers.forEach(
          buffer -> received.add(StandardCharsets.UTF_8.decode(buffer.duplicate()).toString()));
      consumer.consume(buffers, body);
    };
  }

  String received() {
    return String.join("", received);
  }
}
