package io.krypton.operator.release;

/**
 * What the release should be.
 *
 * @param forced one run is asked for even if nothing changed
 * @param asked the object changed or a look at it was asked for
 */
public record Wanted(Fingerprint fingerprint, boolean forced, boolean asked) {}
