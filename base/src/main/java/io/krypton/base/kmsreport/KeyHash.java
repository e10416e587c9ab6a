// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import io.krypton.base.crypto.Sha256;
import java.util.regex.Pattern;

/**
 * The hash of a remote key id, {@code sha256:} and 64 hex digits, as the API server writes it into
 * the label {@code key_id_hash} of its metrics. Reporters may publish it in place of the id.
 */
public record KeyHash(String text) implements Comparable<KeyHash> {
  private static final String PREFIX = "sha256:";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9a-f]{64}");
  private static final int SHORT = 12;

  public KeyHash {
    if (!isHash(text)) {
      throw new IllegalArgumentException("not the hash of a key id");
    }
  }

  /** Of an id as the plugin says it. */
  public static KeyHash of(String remoteKeyId) {
    return new KeyHash(PREFIX + Sha256.hex(remoteKeyId));
  }

  /** Of an id as a report has it: some reporters publish the hash already. */
  public static KeyHash ofReported(String remoteKeyId) {
    return isHash(remoteKeyId) ? new KeyHash(remoteKeyId) : of(remoteKeyId);
  }

  /** The label of kube-apiserver's metrics, in which an empty id stays empty. */
  public static String label(String remoteKeyId) {
    return remoteKeyId.isEmpty() ? "" : of(remoteKeyId).text;
  }

  public static boolean isHash(String text) {
    return FORM.matcher(text).matches();
  }

  /** The hash without its prefix. */
  public String hex() {
    return text.substring(PREFIX.length());
  }

  /** Twelve digits: enough to tell keys apart in a message. */
  public String shortened() {
    return hex().substring(0, SHORT);
  }

  /** {@code sha256:} and twelve digits. */
  public String brief() {
    return PREFIX + shortened();
  }

  @Override
  public int compareTo(KeyHash other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
