// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.config.EncryptionConfiguration.KmsProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.decode.DecodedConfiguration;
import io.krypton.kms.config.decode.DecodedConfiguration.Kms;
import io.krypton.kms.config.decode.DecodedConfiguration.ResourceEntry;
import io.krypton.kms.config.validate.ResourceNameValidator.GroupResource;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Finds the KMS providers of valid entries and their roles. Entries of the same resource are joined
 * by the API server, so that only the first provider of a resource's first entry writes.
 */
final class ProviderRoleAssigner {
  private ProviderRoleAssigner() {}

  static EncryptionConfiguration assign(DecodedConfiguration configuration, KmsV1Policy kmsV1) {
    var providers = new ArrayList<KmsProvider>();
    var named = new HashSet<GroupResource>();
    for (var entry : configuration.entries()) {
      boolean namesNewResource = false;
      for (var resource : entry.resources()) {
        namesNewResource |= named.add(GroupResource.parse(resource));
      }
      addProviders(entry, namesNewResource, kmsV1, providers);
    }
    return new EncryptionConfiguration(providers);
  }

  private static void addProviders(
      ResourceEntry entry, boolean firstOneWrites, KmsV1Policy kmsV1, List<KmsProvider> providers) {
    for (int i = 0; i < entry.providers().size(); i++) {
      if (entry.providers().get(i).settings().getFirst() instanceof Kms kms) {
        var role = i == 0 && firstOneWrites ? ProviderRole.WRITE : ProviderRole.READ;
        providers.add(provider(providers.size(), kms, role, kmsV1));
      }
    }
  }

  private static KmsProvider provider(int index, Kms kms, ProviderRole role, KmsV1Policy kmsV1) {
    var version = kms.apiVersion().equals("v1") ? KmsApiVersion.V1 : KmsApiVersion.V2;
    var endpoint = ((ParsedEndpoint.Accepted) Endpoint.parse(kms.endpoint())).endpoint();
    var warnings = new ArrayList<>(AddressWarnings.of(endpoint));
    if (version == KmsApiVersion.V1 && kmsV1 == KmsV1Policy.WARN) {
      warnings.add("KMS v1 is deprecated: move to a plugin that speaks v2");
    }
    return new KmsProvider(index, kms.name(), version, endpoint, kms.timeout(), role, warnings);
  }

  /** Endpoints that the API server accepts although they do not mean what they seem to. */
  static final class AddressWarnings {
    private AddressWarnings() {}

    static List<String> of(Endpoint endpoint) {
      var warnings = new ArrayList<String>();
      var address = endpoint.address();
      if (address.isEmpty()) {
        warnings.add("the endpoint names no socket: write unix:///path/to/socket");
      }
      if (!endpoint.droppedHost().isEmpty()) {
        warnings.add(
            "\"%s\" is read as a host and dropped, the address in use is \"%s\": write unix:///%s"
                .formatted(
                    endpoint.droppedHost(),
                    address,
                    endpoint.droppedHost() + (endpoint.isAbstract() ? "/" : "") + address));
      }
      var name = address.startsWith("@") ? address.substring(1) : address;
      int bytes = name.getBytes(UTF_8).length;
      if (bytes > Endpoint.MAX_BYTES) {
        warnings.add(
            "the address has %d bytes, a unix socket can have %d"
                .formatted(bytes, Endpoint.MAX_BYTES));
      }
      return warnings;
    }
  }
}
