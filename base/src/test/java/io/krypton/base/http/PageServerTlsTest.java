// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.crypto.Der;
import io.krypton.base.crypto.Pem;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

class PageServerTlsTest {
  private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("2a8648ce3d040302"));

  private final SSLContext context = context();

  @Test
  void pages_are_served_over_tls() throws Exception {
    assertThat(responseWith(PageTls.fixed(context)).body()).isEqualTo("hello");
  }

  @Test
  void a_connection_with_outdated_settings_ends_after_one_response() throws Exception {
    var current = new AtomicBoolean(true);
    var tls =
        new PageTls() {
          @Override
          public SSLContext context() {
            return context;
          }

          @Override
          public boolean isCurrent(SSLSession session) {
            return current.get();
          }
        };
    assertThat(responseWith(tls).headers().firstValue("Connection")).isEmpty();
    current.set(false);
    assertThat(responseWith(tls).headers().firstValue("Connection")).contains("close");
  }

  private HttpResponse<String> responseWith(PageTls tls) throws Exception {
    var options = PageServerOptions.plain(new Silent()).withTls(tls);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var server = new PageServer(address, _ -> PageResponse.ok("hello"), options).start();
        var http = HttpClient.newBuilder().sslContext(context).build()) {
      var uri = URI.create("https://localhost:%d/".formatted(server.port()));
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }

  private static final class Silent implements PageServerOptions.Listener {
    @Override
    public void addressTaken(InetSocketAddress address, String reason, Duration retry) {}

    @Override
    public void pageFailed(PageRequest request, RuntimeException bug) {}
  }

  /** Has a key and trusts it. */
  private static SSLContext context() {
    try {
      var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      var certificate = selfSigned(pair);
      store.setKeyEntry("key", pair.getPrivate(), new char[0], new X509Certificate[] {certificate});
      store.setCertificateEntry("ca", certificate);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate selfSigned(KeyPair pair) throws GeneralSecurityException {
    var name = Der.sequence(Der.set(Der.sequence(Der.oid("550403"), Der.text("localhost"))));
    var now = Instant.now();
    var localhost = Der.implicit(2, HexFormat.of().parseHex("6c6f63616c686f7374"));
    var body =
        Der.sequence(
            Der.tagged(0, Der.integer(BigInteger.TWO)),
            Der.integer(BigInteger.ONE),
            ECDSA_SHA256,
            name,
            Der.sequence(
                Der.time(now.minus(Duration.ofDays(1))), Der.time(now.plus(Duration.ofDays(1)))),
            name,
            pair.getPublic().getEncoded(),
            Der.tagged(
                3,
                Der.sequence(
                    Der.sequence(Der.oid("551d11"), Der.octets(Der.sequence(localhost))))));
    var signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(pair.getPrivate());
    signer.update(body);
    var whole = Der.sequence(body, ECDSA_SHA256, Der.bits(signer.sign()));
    return Pem.certificates(Pem.encode("CERTIFICATE", whole)).getFirst();
  }
}
