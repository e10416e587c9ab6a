package io.krypton.multicluster.provider;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.function.Consumer;

/**
 * An informer of Secrets that retries for ever. A failed list or watch changes nothing; only a
 * successful list or a watch event does.
 */
public final class SecretInformer implements AutoCloseable {
  private final SharedIndexInformer<Secret> informer;

  /**
   * Starts watching at once.
   *
   * @param informer not started yet
   * @param present a Secret was added or updated
   * @param absent a Secret was deleted or left the selection
   * @param listed the first complete list; called once
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
