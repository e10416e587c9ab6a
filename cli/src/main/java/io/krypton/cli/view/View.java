// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.client.ClusterConnection;
import java.util.List;
import java.util.function.Supplier;

/**
 * What one look at a cluster gave, in every form it may be asked for.
 *
 * @param heading lines above the table, for people only
 * @param document what {@code -o json} and {@code -o yaml} show
 * @param names what {@code -o name} shows
 * @param notes what could not be shown and why; they go to standard error
 */
public record View(
    List<String> heading, Table table, Object document, List<String> names, List<String> notes) {
  public View {
    heading = List.copyOf(heading);
    names = List.copyOf(names);
    notes = List.copyOf(notes);
  }

  /** Is told by each look what it depends on, so that a change of it leads to the next look. */
  public interface WatchRegistry {
    /**
     * Objects of a cluster that the user is connected to.
     *
     * @param key the same in each look
     */
    void watch(String key, Session session, MetadataSelection objects);

    /** Objects of a further cluster; it is connected to once for each key. */
    void watch(String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects);

    /** For those who look only once. */
    static WatchRegistry none() {
      return new WatchRegistry() {
        @Override
        public void watch(String key, Session session, MetadataSelection objects) {}

        @Override
        public void watch(
            String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects) {}
      };
    }
  }
}
