package io.krypton.agent.reporter;

import io.krypton.kms.protocol.Endpoint;
import java.math.BigInteger;

/**
 * A plugin to watch.
 *
 * @param keyId the serial number of the plugin's configuration, not the id of its remote key
 */
public record PluginSocket(BigInteger keyId, Endpoint endpoint) {}
