package io.krypton.operator.rollout;

import java.util.ArrayList;
import java.util.List;

/**
 * What a look at the objects of a release found, each named for a message.
 *
 * @param missing objects of the manifest that are not there
 * @param changed objects that differ from the manifest in fields the manifest sets
 * @param pending workloads that are not ready yet
 * @param broken workloads that will not get ready by themselves
 * @param unchecked objects of which nobody can tell whether they have drifted
 * @param complete false while a watch that would tell has just begun; it wakes the release then
 */
public record Findings(
    List<String> missing,
    List<String> changed,
    List<String> pending,
    List<String> broken,
    List<UncheckedObject> unchecked,
    boolean complete) {
  public static final Findings NONE =
      new Findings(List.of(), List.of(), List.of(), List.of(), List.of(), true);

  public Findings {
    missing = List.copyOf(missing);
    changed = List.copyOf(changed);
    pending = List.copyOf(pending);
    broken = List.copyOf(broken);
    unchecked = List.copyOf(unchecked);
  }

  /** The same, and one more that differs. */
  Findings withChanged(String shown) {
    var all = new ArrayList<>(changed);
    all.add(shown);
    return new Findings(missing, all, pending, broken, unchecked, complete);
  }

  public boolean hasDrift() {
    return !missing.isEmpty() || !changed.isEmpty();
  }
}
