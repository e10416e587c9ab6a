// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.resources;
import static io.krypton.kms.config.ConfigurationCase.unusable;

import java.util.List;
import java.util.stream.Stream;

/** Names of resources in one list and over several. */
final class ResourceCases {
  private static final String TWICE = "the same resource cannot be specified multiple times";
  private static final String OVERLAP =
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not"
          + " allowed as they will be masked";

  private ResourceCases() {}

  static List<ConfigurationCase> all() {
    return Stream.of(names(), lists(), entries()).flatMap(List::stream).toList();
  }

  private static List<ConfigurationCase> names() {
    return List.of(
        accepted("an empty name", resources("['']")),
        accepted("null for a name", resources("[~]")),
        accepted("a group of several parts", resources("[pandas.awesome.bears.example]")),
        accepted("all resources", resources("['*.*']")),
        bad("Secrets", "resource name should not contain capital letters"),
        bad(
            "*",
            "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
                + " resources"),
        bad("apiserveripinfo", "resources which do not have REST API/s cannot be encrypted"),
        bad("serviceipallocations", "resources which do not have REST API/s cannot be encrypted"),
        bad(
            "servicenodeportallocations",
            "resources which do not have REST API/s cannot be encrypted"),
        bad(
            "events.events.k8s.io",
            "'*.events.k8s.io' objects are stored using the 'events' API group in etcd."
                + " Use 'events' instead in the config file"),
        bad(
            "*.extensions",
            "'extensions' group has been removed and cannot be used for encryption"),
        bad("foo.*", "encrypting the same resource across groups is not supported"));
  }

  private static ConfigurationCase bad(String name, String why) {
    return invalid(
        "resource " + name,
        resources("['" + name + "']"),
        "resources[0].resources[0]: Invalid value: \"" + name + "\": " + why);
  }

  private static List<ConfigurationCase> lists() {
    return List.of(
        inList("twice", "[\"secrets\",\"secrets\"]", TWICE),
        inList("twice with a dot", "[\"secrets\",\"secrets.\"]", TWICE),
        inList("all and one", "[\"*.*\",\"secrets\"]", OVERLAP),
        inList("one and its group", "[\"secrets\",\"*.\"]", OVERLAP),
        inList("one and its named group", "[\"*.apps\",\"deployments.apps\"]", OVERLAP),
        accepted("one and another group", resources("['*.apps', secrets]")),
        invalid(
            "a wildcard twice",
            resources("['*.', '*.']"),
            ("[resources[0].resources: Invalid value: [\"*.\",\"*.\"]: %s,"
                    + " resources[0].resources: Invalid value: [\"*.\",\"*.\"]: %s]")
                .formatted(TWICE, OVERLAP)),
        invalid(
            "a list with letters that JSON escapes",
            resources("['<', \"<\"]"),
            "resources[0].resources: Invalid value: [\"\\u003c\",\"\\u003c\"]: " + TWICE),
        invalid(
            "names of several entries",
            resources("[A]", "[b]", "[C]", "['*']"),
            "[resources[0].resources[0]: Invalid value: \"A\": resource name should not contain"
                + " capital letters, resources[2].resources[0]: Invalid value: \"C\": resource name"
                + " should not contain capital letters, resources[3].resources[0]: Invalid value:"
                + " \"*\": use '*.' to encrypt all the resources from core API group or *.* to"
                + " encrypt all resources]"));
  }

  private static ConfigurationCase inList(String name, String list, String why) {
    return invalid(
        "in a list: " + name,
        resources(list),
        "resources[0].resources: Invalid value: " + list + ": " + why);
  }

  private static List<ConfigurationCase> entries() {
    return List.of(
        accepted("the same resource in two entries", resources("[secrets]", "[secrets]")),
        accepted("all behind one", resources("[secrets]", "['*.*']")),
        masked("one behind all", "secrets", "*.*", resources("['*.*']", "[secrets]")),
        masked("one behind its group", "secrets", "*.", resources("['*.']", "[secrets]")),
        masked(
            "one behind its named group",
            "deployments.apps",
            "*.apps",
            resources("['*.apps']", "[deployments.apps]")),
        masked("a group behind itself", "*.", "*.", resources("['*.']", "['*.']")),
        masked("a group behind all", "*.apps", "*.*", resources("['*.*']", "['*.apps']")),
        masked("all behind all", "*.*", "*.*", resources("['*.*']", "['*.*']")).withReload());
  }

  private static ConfigurationCase masked(String name, String what, String by, String content) {
    return unusable(
        "masked: " + name,
        content,
        "resource \"%s\" is masked by earlier rule \"%s\"".formatted(what, by));
  }
}
