package io.krypton.image;

/** A file would be shipped without anybody knowing what it is or under which terms it comes. */
final class UncoveredFile extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UncoveredFile(String path, String remedy) {
    super(path + ": " + remedy);
  }
}
