package io.krypton.sandbox;

/** Binaries are in none of the places where they are looked for. */
public final class MissingBinaries extends RuntimeException {
  MissingBinaries(String message) {
    super(message);
  }
}
