package io.krypton.cli.explain;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object that Helm refused to take over, because it belongs to another release; by Helm's own
 * words. Pure.
 *
 * @param object its kind and name
 * @param release the one that it belongs to
 * @param namespace of that release
 */
record OwnershipConflict(String object, String release, String namespace) {
  private static final Pattern OBJECT =
      Pattern.compile("(\\w+) \"([^\"]+)\" in namespace \"[^\"]*\" exists and cannot be imported");
  private static final String VALUE = "\" must equal \"[^\"]*\": current value is \"([^\"]+)\"";
  private static final Pattern RELEASE = Pattern.compile("meta\\.helm\\.sh/release-name" + VALUE);
  private static final Pattern NAMESPACE =
      Pattern.compile("meta\\.helm\\.sh/release-namespace" + VALUE);

  /**
   * The first conflict that a message tells of; a namespace that is the same is not named there.
   */
  static Optional<OwnershipConflict> in(String message, String sameNamespace) {
    var object = OBJECT.matcher(message);
    var release = RELEASE.matcher(message);
    if (!object.find() || !release.find()) {
      return Optional.empty();
    }
    var namespace = NAMESPACE.matcher(message);
    return Optional.of(
        new OwnershipConflict(
            object.group(1) + " " + object.group(2),
            release.group(1),
            namespace.find() ? namespace.group(1) : sameNamespace));
  }

  /**
   * What to tell about it.
   *
   * @param owner the object that asked for that release; null if it is not known here
   */
  String remedy(@Nullable String owner) {
    return ("%s belongs to %s (release %s in namespace %s): let one of them leave it out by its"
            + " values, or delete the other.")
        .formatted(object, owner == null ? "another release" : owner, release, namespace);
  }
}
