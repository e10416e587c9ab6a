package io.krypton.multicluster.provider;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.function.Consumer;

/**
 * A watch on Secrets that never gives up. A failed list or watch changes nothing; only what a list
 * or an event of the API server says counts.
 */
public final class SecretInformer implements AutoCloseable {
  private final SharedIndexInformer<Secret> informer;

  /**
   * Starts watching at once.
   *
   * @param informer not started yet
   * @param present a Secret is there, new or changed
   * @param absent a Secret is not there any more, or not in this selection
   * @param listed the first complete list; told once
   */
  public SecretInformer(
      SharedIndexInformer<Secret> informer,
      Consumer<Secret> present,
      Consumer<Secret> absent,
      Consumer<List<Secret>> listed) {
    this.informer = informer;
    informer.addEventHandler(handler(present, absent));
    // The library's default is to stop for good when the very first list fails.
    informer.exceptionHandler((started, failure) -> true);
    var _ = informer.start().thenRun(() -> listed.accept(informer.getStore().list()));
  }

  private static ResourceEventHandler<Secret> handler(
      Consumer<Secret> present, Consumer<Secret> absent) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(Secret secret) {
        present.accept(secret);
      }

      @Override
      public void onUpdate(Secret before, Secret after) {
        present.accept(after);
      }

      @Override
      public void onDelete(Secret secret, boolean finalStateUnknown) {
        absent.accept(secret);
      }
    };
  }

  @Override
  public void close() {
    informer.stop();
  }
}
