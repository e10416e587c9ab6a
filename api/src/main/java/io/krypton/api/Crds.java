// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The CRDs as they are checked in; each call gives a copy of its own. */
public final class Crds {
  private static final String DIRECTORY = "/META-INF/krypton/crds/";

  private Crds() {}

  public static CustomResourceDefinition tenant() {
    return load("tenants");
  }

  public static CustomResourceDefinition kryptonDeployment() {
    return load("kryptondeployments");
  }

  public static CustomResourceDefinition kmsHealth() {
    return load("kmshealths");
  }

  public static CustomResourceDefinition tenantClass() {
    return load("tenantclasses");
  }

  public static CustomResourceDefinition chartRollout() {
    return load("chartrollouts");
  }

  public static CustomResourceDefinition rolloutApproval() {
    return load("rolloutapprovals");
  }

  public static List<CustomResourceDefinition> all() {
    return List.of(
        tenant(),
        kryptonDeployment(),
        kmsHealth(),
        tenantClass(),
        chartRollout(),
        rolloutApproval());
  }

  private static CustomResourceDefinition load(String plural) {
    var file = DIRECTORY + plural + "." + KryptonApi.GROUP + ".yaml";
    try (var yaml = Crds.class.getResourceAsStream(file)) {
      if (yaml == null) {
        throw new IllegalStateException("the jar of krypton-api lacks " + file);
      }
      return new YAMLMapper().readValue(yaml, CustomResourceDefinition.class);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
