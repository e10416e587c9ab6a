// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.openshift;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code apiservers.config.openshift.io}: where encryption at rest is switched on. */
@Group("config.openshift.io")
@Version("v1")
@Kind("APIServer")
@Plural("apiservers")
@Singular("apiserver")
public final class ApiServerConfig
    extends CustomResource<ApiServerConfig.Settings, Map<String, Object>> {
  private static final String KMS = "KMS";

  @Override
  protected Settings initSpec() {
    return new Settings(null);
  }

  @Override
  protected Map<String, Object> initStatus() {
    return Map.of();
  }

  public boolean usesKms() {
    var encryption = getSpec().encryption();
    return encryption != null && KMS.equals(encryption.type());
  }

  /** The part that is read. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Settings(@Nullable Encryption encryption) {}

  /** How data is encrypted at rest. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Encryption(@Nullable String type) {}
}
