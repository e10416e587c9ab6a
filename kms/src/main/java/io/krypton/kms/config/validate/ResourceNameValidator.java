// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.validate;

import io.krypton.kms.config.validate.ConfigurationValidator.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which resource names may stand in one list. */
public final class ResourceNameValidator {
  private static final Set<String> WITHOUT_API =
      Set.of("apiserveripinfo", "serviceipallocations", "servicenodeportallocations");

  private ResourceNameValidator() {}

  static void check(List<String> resources, String path, FieldErrors errors) {
    var parsed = resources.stream().map(GroupResource::parse).toList();
    if (new HashSet<>(parsed).size() < parsed.size()) {
      errors.invalidAs(
          path,
          FieldErrors.redactedList(resources),
          "the same resource cannot be specified multiple times");
    }
    if (overlap(parsed)) {
      errors.invalidAs(
          path,
          FieldErrors.redactedList(resources),
          "using overlapping resources such as 'secrets' and '*.' in the same resource list is not"
              + " allowed as they will be masked");
    }
    for (int i = 0; i < resources.size(); i++) {
      var name = resources.get(i);
      var place = path + "[" + i + "]";
      violationOf(name).ifPresent(complaint -> errors.invalid(place, name, complaint));
    }
  }

  /** A wildcard next to a member of its group; a repeated wildcard overlaps with itself. */
  private static boolean overlap(List<GroupResource> resources) {
    boolean equalPairSeen = false;
    for (int i = 0; i < resources.size(); i++) {
      for (int j = 0; j < resources.size(); j++) {
        var one = resources.get(i);
        var other = resources.get(j);
        if (i == j) {
          continue;
        }
        // kube-apiserver takes the first pair of equals for a repetition and stops there.
        if (one.equals(other) && !equalPairSeen) {
          equalPairSeen = true;
          continue;
        }
        boolean sameGroup = one.group().equals(other.group());
        if (one.equals(GroupResource.ANY)
            || (sameGroup && (one.isWildcard() || other.isWildcard()))) {
          return true;
        }
      }
    }
    return false;
  }

  private static Optional<String> violationOf(String name) {
    if (hasCapital(name)) {
      return Optional.of("resource name should not contain capital letters");
    }
    if (name.equals("*")) {
      return Optional.of(
          "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
              + " resources");
    }
    if (WITHOUT_API.contains(name)) {
      return Optional.of("resources which do not have REST API/s cannot be encrypted");
    }
    var parsed = GroupResource.parse(name);
    return switch (parsed.group()) {
      case "events.k8s.io" ->
          Optional.of(
              "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use"
                  + " 'events' instead in the config file");
      case "extensions" ->
          Optional.of("'extensions' group has been removed and cannot be used for encryption");
      case "*" ->
          parsed.isWildcard()
              ? Optional.empty()
              : Optional.of("encrypting the same resource across groups is not supported");
      default -> Optional.empty();
    };
  }

  private static boolean hasCapital(String name) {
    return name.codePoints().anyMatch(c -> Character.toLowerCase(c) != c);
  }

  /** A resource and its API group; the core group is empty, a star stands for all. */
  public record GroupResource(String resource, String group) {
    public static final GroupResource ANY = new GroupResource("*", "*");

    /** Splits at the first dot, so that {@code secrets} equals {@code secrets.}. */
    public static GroupResource parse(String text) {
      int dot = text.indexOf('.');
      return dot < 0
          ? new GroupResource(text, "")
          : new GroupResource(text.substring(0, dot), text.substring(dot + 1));
    }

    boolean isWildcard() {
      return resource.equals("*");
    }

    public GroupResource wildcardOfGroup() {
      return new GroupResource("*", group);
    }

    /** As users write it in the file. */
    @Override
    public String toString() {
      return group.isEmpty() && !isWildcard() ? resource : resource + "." + group;
    }
  }
}
