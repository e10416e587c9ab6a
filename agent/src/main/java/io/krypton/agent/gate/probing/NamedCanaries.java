package io.krypton.agent.gate.probing;

import io.krypton.kms.probe.Canary;
import io.krypton.kms.probe.CanaryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps canaries under the names of providers, which outlive the probes of one process. */
final class NamedCanaries implements CanaryStore {
  private final CanaryStore store;
  private final Map<String, String> names = new ConcurrentHashMap<>();

  NamedCanaries(CanaryStore store) {
    this.store = store;
  }

  void name(String probe, String canaryName) {
    names.put(probe, canaryName);
  }

  void forget(String probe) {
    names.remove(probe);
  }

  @Override
  public List<Canary> load(String probe) {
    return store.load(names.getOrDefault(probe, probe));
  }

  @Override
  public void save(String probe, List<Canary> canaries) {
    store.save(names.getOrDefault(probe, probe), canaries);
  }
}
