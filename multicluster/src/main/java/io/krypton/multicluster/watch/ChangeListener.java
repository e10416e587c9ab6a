package io.krypton.multicluster.watch;

import org.jspecify.annotations.Nullable;

/** Hears of changes of objects: added without a before, deleted without an after. */
@FunctionalInterface
public interface ChangeListener<T> {
  void changed(@Nullable T before, @Nullable T after);
}
