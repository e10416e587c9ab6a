// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** All connections of a process: one per endpoint, however many have it open. */
public final class PluginConnectionPool implements AutoCloseable {
  private final SocketTransports socketTransports = new SocketTransports();
  private final Map<String, SharedChannel> byAddress = new HashMap<>();

  /**
   * Opens an endpoint whose address is usable. The runnable is called on the I/O thread when a
   * connection that stood is lost, so it must not block; losing it by {@code close} is no loss.
   */
  public synchronized PluginConnection open(Endpoint endpoint, Runnable onLost) {
    endpoint
        .unusableReason()
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(endpoint.text() + ": " + why);
            });
    var channel =
        byAddress.computeIfAbsent(
            endpoint.address(), address -> new SharedChannel(socketTransports, endpoint));
    // Wrapped, so that the same runnable given twice counts twice.
    Runnable share = () -> onLost.run();
    channel.acquire(share);
    var open = new AtomicBoolean(true);
    return new PluginConnection(
        endpoint,
        channel,
        () -> {
          if (open.getAndSet(false)) {
            release(endpoint, channel, share);
          }
        });
  }

  private synchronized void release(Endpoint endpoint, SharedChannel channel, Runnable share) {
    if (channel.release(share)) {
      byAddress.remove(endpoint.address(), channel);
      channel.close();
    }
  }

  /** Closes every connection and ends the I/O threads. */
  @Override
  public synchronized void close() {
    byAddress.values().forEach(SharedChannel::close);
    byAddress.clear();
    socketTransports.close();
  }
}
