package io.krypton.operator.tls.serving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS towards a server that others run, by certificates in PEM. */
public final class ClientTls {
  private static final char[] NO_PASSWORD = new char[0];

  private ClientTls() {}

  /**
   * A context that trusts these authorities, or those of the JDK, and shows this certificate, or
   * none.
   *
   * @throws IOException with a text for users
   */
  public static SSLContext context(
      @Nullable String authorities, @Nullable String certificate, @Nullable String key)
      throws IOException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          certificate == null || key == null ? null : identity(certificate, key),
          authorities == null ? null : trust(authorities),
          null);
      return context;
    } catch (InvalidTlsInputException unusable) {
      throw new IOException(unusable.getMessage(), unusable);
    } catch (GeneralSecurityException refused) {
      throw new IOException("the JDK refuses these certificates: " + refused.getMessage(), refused);
    }
  }

  private static KeyManager[] identity(String certificate, String key)
      throws InvalidTlsInputException, GeneralSecurityException, IOException {
    var chain = PemText.read("tls.crt", bytes(certificate)).certificates();
    var owner = chain.getFirst().getPublicKey();
    var store = empty();
    store.setKeyEntry(
        "own",
        PemText.read("tls.key", bytes(key)).privateKey(owner),
        NO_PASSWORD,
        chain.toArray(Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trust(String authorities)
      throws InvalidTlsInputException, GeneralSecurityException, IOException {
    var store = empty();
    int number = 0;
    for (var authority : PemText.read("ca.crt", bytes(authorities)).certificates()) {
      store.setCertificateEntry("authority-" + number++, authority);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
