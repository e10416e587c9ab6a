package io.krypton.agent.settings;

import io.krypton.base.text.GoBool;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a flag in every spelling that a bool flag of kube-apiserver takes. */
public final class GoBoolConverter implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String text) {
    return GoBool.parse(text)
        .orElseThrow(
            () -> new TypeConversionException("'%s' is not true or false".formatted(text)));
  }
}
