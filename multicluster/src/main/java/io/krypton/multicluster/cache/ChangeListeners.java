// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a cache; a failing one does not affect the watch or other listeners. */
final class ChangeListeners<T> implements ChangeListener<T> {
  private static final Logger log = LoggerFactory.getLogger(ObjectCache.class);

  private final List<ChangeListener<? super T>> all = new CopyOnWriteArrayList<>();

  Subscription add(ChangeListener<? super T> listener) {
    all.add(listener);
    return () -> all.remove(listener);
  }

  @Override
  public void changed(@Nullable T before, @Nullable T after) {
    all.forEach(listener -> notifyListener(listener, before, after));
  }

  void notifyListener(ChangeListener<? super T> listener, @Nullable T before, @Nullable T after) {
    try {
      listener.changed(before, after);
    } catch (RuntimeException bug) {
      log.error("cache listener failed", bug);
    }
  }
}
