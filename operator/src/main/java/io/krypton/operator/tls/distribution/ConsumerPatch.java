// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.krypton.api.TlsProfileNames;
import io.krypton.operator.platform.Platform;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What each consumer is given: settings as literal variables, the profile as a file. Nothing that a
 * kubelet would have to fetch before it can restart a container.
 *
 * @param hash of the published profile; empty if none is published
 */
record ConsumerPatch(Platform platform, Optional<String> hash, String metricsAuth) {

  /** Only our fields, for server-side apply. */
  Deployment patchFor(ConsumerDeployment consumerDeployment, String container) {
    return emptyPatchFor(consumerDeployment)
        .withNewSpec()
        .withNewTemplate()
        .withNewMetadata()
        .addToAnnotations(
            hash.map(value -> Map.of(TlsProfileNames.HASH_ANNOTATION, value)).orElse(Map.of()))
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName(container)
        .withEnv(variables())
        .withVolumeMounts(mounts())
        .endContainer()
        .withVolumes(volumes())
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** Gives back all that we own. */
  static DeploymentBuilder emptyPatchFor(ConsumerDeployment consumerDeployment) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(consumerDeployment.live().getMetadata().getNamespace())
        .withName(consumerDeployment.name())
        .endMetadata();
  }

  boolean isAppliedTo(ConsumerDeployment consumerDeployment, Container container) {
    var template = consumerDeployment.live().getSpec().getTemplate();
    var annotations =
        template.getMetadata() == null
            ? Map.<String, String>of()
            : Objects.requireNonNullElse(
                template.getMetadata().getAnnotations(), Map.<String, String>of());
    var ours = consumerDeployment.managedContainers();
    return Objects.equals(annotations.get(TlsProfileNames.HASH_ANNOTATION), hash.orElse(null))
        && (ours.isEmpty() || ours.equals(Set.of(container.getName())))
        && container.getEnv().containsAll(variables())
        && container.getVolumeMounts().containsAll(mounts())
        && volumes().stream()
            .allMatch(
                wanted ->
                    template.getSpec().getVolumes().stream().anyMatch(it -> isSame(it, wanted)));
  }

  private List<EnvVar> variables() {
    return List.of(
        variable(TlsProfileNames.IS_OPENSHIFT, String.valueOf(platform == Platform.OPENSHIFT)),
        variable(TlsProfileNames.PLATFORM_VARIABLE, platform.value()),
        variable(TlsProfileNames.PROFILE_SOURCE_VARIABLE, hash.isPresent() ? "file" : "none"),
        variable(TlsProfileNames.METRICS_AUTH_VARIABLE, metricsAuth));
  }

  private static EnvVar variable(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }

  private static List<VolumeMount> mounts() {
    return List.of(
        mount(TlsProfileNames.PROFILE_VOLUME, TlsProfileNames.PROFILE_MOUNT),
        mount(TlsProfileNames.POD_INFO_VOLUME, TlsProfileNames.POD_INFO_MOUNT));
  }

  private static VolumeMount mount(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).withReadOnly(true).build();
  }

  private static List<Volume> volumes() {
    return List.of(
        new VolumeBuilder()
            .withName(TlsProfileNames.PROFILE_VOLUME)
            .withNewConfigMap()
            .withName(TlsProfileNames.CONFIG_MAP)
            .withOptional(true)
            .endConfigMap()
            .build(),
        new VolumeBuilder()
            .withName(TlsProfileNames.POD_INFO_VOLUME)
            .withNewDownwardAPI()
            .addNewItem()
            .withPath(TlsProfileNames.POD_INFO_ANNOTATIONS)
            .withNewFieldRef()
            .withFieldPath("metadata.annotations")
            .endFieldRef()
            .endItem()
            .endDownwardAPI()
            .build());
  }

  /** By what we set; the API server adds defaults such as the mode of files. */
  private static boolean isSame(Volume live, Volume wanted) {
    if (!wanted.getName().equals(live.getName())) {
      return false;
    }
    if (wanted.getConfigMap() != null) {
      return live.getConfigMap() != null
          && wanted.getConfigMap().getName().equals(live.getConfigMap().getName())
          && Boolean.TRUE.equals(live.getConfigMap().getOptional());
    }
    return live.getDownwardAPI() != null
        && live.getDownwardAPI().getItems().stream()
            .anyMatch(
                item ->
                    TlsProfileNames.POD_INFO_ANNOTATIONS.equals(item.getPath())
                        && item.getFieldRef() != null
                        && "metadata.annotations".equals(item.getFieldRef().getFieldPath()));
  }
}
