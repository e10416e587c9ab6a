// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.nodes.SimulatedNodes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a control plane shall be like; all of it has defaults. */
public final class ControlPlaneBuilder {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?");

  private final String name;
  private final Map<String, String> apiServerFlags = new LinkedHashMap<>();
  private final Map<String, Boolean> featureGates = new LinkedHashMap<>();
  private Assets assets = Assets.fromEnvironment();
  private Duration startTimeout = Duration.ofMinutes(2);
  private boolean controllerManager = true;
  private boolean audit;
  private int nodes;
  private Consumer<Binary> onReady = ignored -> {};
  private @Nullable String encryptionConfig;

  ControlPlaneBuilder(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "control plane name '%s': use at most 32 of a-z, 0-9 and '-'".formatted(name));
    }
    this.name = name;
  }

  public ControlPlaneBuilder assets(Assets places) {
    this.assets = places;
    return this;
  }

  /** How long each server may take until it is ready; the default is generous for slow machines. */
  public ControlPlaneBuilder startTimeout(Duration timeout) {
    this.startTimeout = timeout;
    return this;
  }

  /** Saves memory where nothing is garbage-collected and no namespace is deleted. */
  public ControlPlaneBuilder withoutControllerManager() {
    this.controllerManager = false;
    return this;
  }

  /**
   * Runs a scheduler and this many {@link SimulatedNodes}, so that workloads become ready; without
   * them no pod ever runs.
   */
  public ControlPlaneBuilder withNodes(int count) {
    if (count < 0 || count > SimulatedNodes.MAX) {
      throw new IllegalArgumentException(
          "%d simulated nodes: use 0 to %d".formatted(count, SimulatedNodes.MAX));
    }
    this.nodes = count;
    return this;
  }

  /** Writes the audit log that {@link ControlPlane#audit} reads. */
  public ControlPlaneBuilder withAudit() {
    this.audit = true;
    return this;
  }

  /**
   * An EncryptionConfiguration. The API server looks for changes of {@link
   * ControlPlane#encryptionConfig its file} once a minute, and at its start.
   */
  public ControlPlaneBuilder withEncryption(String encryptionConfiguration) {
    this.encryptionConfig = encryptionConfiguration;
    return this;
  }

  public ControlPlaneBuilder featureGate(String gate, boolean enabled) {
    featureGates.put(gate, enabled);
    return this;
  }

  /** A flag for the API server, without dashes; it replaces a default of the same name. */
  public ControlPlaneBuilder apiServerFlag(String flag, String value) {
    apiServerFlags.put(flag, value);
    return this;
  }

  /** Is told of each server as soon as it is ready, in the order of their start. */
  public ControlPlaneBuilder onReady(Consumer<Binary> listener) {
    this.onReady = listener;
    return this;
  }

  /** Starts all servers and returns when they serve; on failure nothing but logs is left. */
  public ControlPlane start() {
    return new ControlPlaneStarter(this).start();
  }

  /** As {@link #start}, without waiting for it; several come up at the same time. */
  public CompletableFuture<ControlPlane> startInBackground() {
    return CompletableFuture.supplyAsync(
        this::start, task -> Thread.ofVirtual().name("start-" + name).start(task));
  }

  String name() {
    return name;
  }

  Assets assets() {
    return assets;
  }

  Duration startTimeout() {
    return startTimeout;
  }

  boolean hasControllerManager() {
    return controllerManager;
  }

  boolean hasAudit() {
    return audit;
  }

  int nodes() {
    return nodes;
  }

  Consumer<Binary> onReady() {
    return onReady;
  }

  Optional<String> encryptionConfig() {
    return Optional.ofNullable(encryptionConfig);
  }

  Map<String, String> apiServerFlags() {
    var flags = new LinkedHashMap<String, String>();
    if (!featureGates.isEmpty()) {
      flags.put(
          "feature-gates",
          featureGates.entrySet().stream()
              .map(gate -> gate.getKey() + "=" + gate.getValue())
              .collect(Collectors.joining(",")));
    }
    flags.putAll(apiServerFlags);
    return flags;
  }
}
