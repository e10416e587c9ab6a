package io.krypton.kms.probe;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where canaries live between two probes. Losing them weakens the proof, it is never an error. */
public interface CanaryStore {

  /** The canaries of a plugin, oldest first. */
  List<Canary> load(String plugin);

  void save(String plugin, List<Canary> canaries);

  /** Forgets them with the process. */
  static CanaryStore inMemory() {
    Map<String, List<Canary>> kept = new ConcurrentHashMap<>();
    return new CanaryStore() {
      @Override
      public List<Canary> load(String plugin) {
        return kept.getOrDefault(plugin, List.of());
      }

      @Override
      public void save(String plugin, List<Canary> canaries) {
        kept.put(plugin, List.copyOf(canaries));
      }
    };
  }
}
