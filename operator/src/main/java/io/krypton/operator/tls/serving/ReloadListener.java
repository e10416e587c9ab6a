package io.krypton.operator.tls.serving;

/** Hears what becomes of new inputs, for metrics; must be quick. */
public interface ReloadListener {
  void reloaded(TlsInput input);

  /**
   * An input was refused; told once for each cause.
   *
   * @param reason one word of a small set
   */
  void refused(TlsInput input, String reason);
}
