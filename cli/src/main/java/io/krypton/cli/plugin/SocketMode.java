package io.krypton.cli.plugin;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 0660} or {@code 660} as chmod does; the owner always keeps reading and writing. */
final class SocketMode implements ITypeConverter<Set<PosixFilePermission>> {
  private static final int OWNER_READ_WRITE = 0600;
  private static final int HIGHEST = 0400;
  private static final String ALL = "rwxrwxrwx";

  @Override
  public Set<PosixFilePermission> convert(String value) {
    if (!value.matches("0?[0-7]{3}")) {
      throw new TypeConversionException(
          "'%s' is not a mode, write for example 0600 or 0660".formatted(value));
    }
    int mode = Integer.parseInt(value, 8);
    if ((mode & OWNER_READ_WRITE) != OWNER_READ_WRITE) {
      throw new TypeConversionException(
          "'%s' locks out the owner, write for example 0600 or 0660".formatted(value));
    }
    var letters = new StringBuilder();
    for (int bit = 0; bit < ALL.length(); bit++) {
      letters.append((mode & (HIGHEST >> bit)) == 0 ? '-' : ALL.charAt(bit));
    }
    return PosixFilePermissions.fromString(letters.toString());
  }
}
