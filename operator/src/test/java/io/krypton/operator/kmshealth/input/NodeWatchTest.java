// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
  private static final ApiFailure FORBIDDEN = new ApiFailure(403, "HTTP 403", "forbidden");

  @Test
  void a_list_of_nodes_that_cannot_be_read_any_more_decides_nothing() {
    assertThat(NodeWatch.readable(new Cache(true, null))).contains(List.of());
    assertThat(NodeWatch.readable(new Cache(false, null))).isEmpty();
    assertThat(NodeWatch.readable(new Cache(true, FORBIDDEN)))
        .as("it was read once, which proves nothing about now")
        .isEmpty();
  }

  /** No node, and this state. */
  private record Cache(boolean read, @Nullable ApiFailure broken) implements ObjectCache<Node> {
    @Override
    public void start() {}

    @Override
    public Optional<Node> get(String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public List<Node> list() {
      return List.of();
    }

    @Override
    public List<Node> byIndex(String index, String value) {
      return List.of();
    }

    @Override
    public CompletableFuture<Void> synced() {
      return read ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public Optional<ApiFailure> failure() {
      return Optional.ofNullable(broken);
    }

    @Override
    public Subscription subscribe(ChangeListener<? super Node> listener) {
      return () -> {};
    }

    @Override
    public void reconnect() {}

    @Override
    public void close() {}
  }
}
