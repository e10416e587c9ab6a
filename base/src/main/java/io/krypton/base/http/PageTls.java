// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;

/** TLS whose settings may change while the server runs. */
public interface PageTls {
  /** Asked for a new engine for each connection. */
  SSLContext context();

  /** Whether a connection was made with the settings of now; others end after one response. */
  boolean isCurrent(SSLSession session);

  /** Settings that never change. */
  static PageTls fixed(SSLContext context) {
    return new PageTls() {
      @Override
      public SSLContext context() {
        return context;
      }

      @Override
      public boolean isCurrent(SSLSession session) {
        return true;
      }
    };
  }
}
