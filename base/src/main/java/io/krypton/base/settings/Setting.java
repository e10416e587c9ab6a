// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import java.util.ArrayList;
import java.util.List;

/**
 * One setting of a program, known by its flag.
 *
 * @param name the flag without dashes, also the key in a settings file
 * @param defaultValue as it would be written on the command line
 * @param aliases earlier names of the flag, still accepted everywhere
 * @param variables more environment variables that give the value, after the regular ones
 * @param secret whether no message may show the value
 */
public record Setting(
    String name,
    String defaultValue,
    List<String> aliases,
    List<String> variables,
    boolean secret) {

  public Setting {
    if (!name.matches("[a-z0-9]+(?:-[a-z0-9]+)*")) {
      throw new IllegalArgumentException("not the name of a flag: " + name);
    }
    aliases = List.copyOf(aliases);
    variables = List.copyOf(variables);
  }

  /** A setting without a default, which then is empty. */
  public static Setting named(String name) {
    return new Setting(name, "", List.of(), List.of(), false);
  }

  public Setting withDefault(String value) {
    return new Setting(name, value, aliases, variables, secret);
  }

  public Setting withAliases(String... names) {
    return new Setting(name, defaultValue, List.of(names), variables, secret);
  }

  public Setting orVariables(String... names) {
    return new Setting(name, defaultValue, aliases, List.of(names), secret);
  }

  public Setting asSecret() {
    return new Setting(name, defaultValue, aliases, variables, true);
  }

  /** The flag as users write it. */
  public String flag() {
    return "--" + name;
  }

  /** The name and its aliases. */
  public List<String> names() {
    var names = new ArrayList<String>();
    names.add(name);
    names.addAll(aliases);
    return List.copyOf(names);
  }
}
