package io.krypton.cli.view;

import java.util.List;

/**
 * What one look at a cluster gave, in every form it may be asked for.
 *
 * @param heading lines above the table, for people only
 * @param document what {@code -o json} and {@code -o yaml} show
 * @param names what {@code -o name} shows
 * @param notes what could not be shown and why; they go to standard error
 */
public record Look(
    List<String> heading, Table table, Object document, List<String> names, List<String> notes) {
  public Look {
    heading = List.copyOf(heading);
    names = List.copyOf(names);
    notes = List.copyOf(notes);
  }
}
