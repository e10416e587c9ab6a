package io.krypton.kms.probe;

import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;

/**
 * A plugin to be probed.
 *
 * @param name unique among those probed together: a keyID, or the name of a provider
 * @param timeout the deadline of each call, counted from the written request
 */
public record PluginSpec(String name, KmsApi api, Endpoint endpoint, Duration timeout) {}
