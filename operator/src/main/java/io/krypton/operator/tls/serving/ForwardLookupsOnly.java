// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Refuses to look up the name of an address. The JDK's HTTPS server asks for that of every client
 * before the handshake and needs none of them; with a dead DNS each would cost seconds.
 */
public final class ForwardLookupsOnly extends InetAddressResolverProvider {
  @Override
  public InetAddressResolver get(Configuration configuration) {
    var builtin = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return builtin.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        throw new UnknownHostException("names of addresses are not looked up");
      }
    };
  }

  @Override
  public String name() {
    return "krypton-forward-lookups-only";
  }
}
