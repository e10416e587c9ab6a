package io.krypton.kms.encryption;

import io.krypton.kms.encryption.DecodedConfiguration.Kms;
import io.krypton.kms.encryption.DecodedConfiguration.ResourceEntry;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.ParsedEndpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Finds the KMS providers of valid entries and their roles. Entries of the same resource are joined
 * by the API server, so that only the first provider of a resource's first entry writes.
 */
final class ProviderRoles {
  private ProviderRoles() {}

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
    var version = kms.apiVersion().equals("v1") ? KmsApi.V1 : KmsApi.V2;
    var endpoint = ((ParsedEndpoint.Accepted) Endpoint.parse(kms.endpoint())).endpoint();
    var warnings = new ArrayList<>(AddressWarnings.of(endpoint));
    if (version == KmsApi.V1 && kmsV1 == KmsV1Policy.WARN) {
      warnings.add("KMS v1 is deprecated: move to a plugin that speaks v2");
    }
    return new KmsProvider(index, kms.name(), version, endpoint, kms.timeout(), role, warnings);
  }
}
