package io.krypton.agent.settings;

import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a truth value in every spelling that a flag of kube-apiserver takes: those of Go. */
public final class GoBool implements ITypeConverter<Boolean> {
  public static Optional<Boolean> parse(String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> Optional.of(true);
      case "0", "f", "F", "FALSE", "false", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  @Override
  public Boolean convert(String text) {
    return parse(text)
        .orElseThrow(
            () -> new TypeConversionException("'%s' is not true or false".formatted(text)));
  }
}
