// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.config;

import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.ReportLimits;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the value of {@code --kms-sockets}. */
record PluginSocketList(List<PluginSocket> sockets, List<String> errors) {
  private static final String FLAG = "--kms-sockets";
  private static final String SHORT_FORM = "^unix:///var/run/kmsplugin/kms-(\\d+)\\.sock$";
  private static final Pattern SHORT_PATTERN = Pattern.compile(SHORT_FORM);
  private static final Pattern LONG_PATTERN = Pattern.compile("^(\\d{1,512})=(.*)$");

  /** Entries are not trimmed: a blank is part of an entry and makes it wrong. */
  static PluginSocketList parse(String value) {
    if (value.isEmpty()) {
      return new PluginSocketList(List.of(), List.of(FLAG + " is required, at least one"));
    }
    var entries = List.of(value.split(",", -1));
    var sockets = new ArrayList<PluginSocket>();
    var malformed = new ArrayList<String>();
    var duplicated = new ArrayList<String>();
    var repeated = new ArrayList<String>();
    var seenEntries = new HashSet<String>();
    var seenKeyIds = new HashSet<KeyId>();
    for (var entry : entries) {
      if (!seenEntries.add(entry)) {
        duplicated.add("%s entry \"%s\" is duplicated".formatted(FLAG, entry));
        continue;
      }
      var why = validationError(entry);
      if (why.isPresent()) {
        malformed.add("%s entry \"%s\"%s".formatted(FLAG, entry, why.get()));
        continue;
      }
      var socket = socket(entry);
      if (!seenKeyIds.add(socket.keyId())) {
        repeated.add("%s entry \"%s\" repeats keyID %s".formatted(FLAG, entry, socket.keyId()));
      }
      sockets.add(socket);
    }
    malformed.addAll(duplicated);
    malformed.addAll(repeated);
    if (entries.size() > ReportLimits.MAX_PLUGINS) {
      malformed.add(
          "%s names %d plugins, but a report has room for %d: leave out those that no EncryptionConfiguration uses any more"
              .formatted(FLAG, entries.size(), ReportLimits.MAX_PLUGINS));
    }
    return new PluginSocketList(sockets, malformed);
  }

  private static Optional<String> validationError(String entry) {
    var longForm = LONG_PATTERN.matcher(entry);
    if (longForm.matches()) {
      return Endpoint.rejectionReason(longForm.group(2)).map(why -> ": " + why);
    }
    if (!SHORT_PATTERN.matcher(entry).matches()) {
      return Optional.of(" must match " + SHORT_FORM + " or be <keyID>=unix:///<path>");
    }
    return Endpoint.rejectionReason(entry).map(why -> ": " + why);
  }

  private static PluginSocket socket(String entry) {
    var longForm = LONG_PATTERN.matcher(entry);
    if (longForm.matches()) {
      return socket(longForm.group(1), longForm.group(2));
    }
    var shortForm = SHORT_PATTERN.matcher(entry);
    if (shortForm.matches()) {
      return socket(shortForm.group(1), entry);
    }
    throw new IllegalArgumentException("not checked before: " + entry);
  }

  private static PluginSocket socket(String keyId, String address) {
    if (Endpoint.parse(address) instanceof ParsedEndpoint.Accepted(var endpoint)) {
      return new PluginSocket(KeyId.parse(keyId).orElseThrow(), endpoint);
    }
    throw new IllegalArgumentException("not checked before: " + address);
  }
}
