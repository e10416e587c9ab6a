// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import java.util.Arrays;
import java.util.List;

/** Constants of an enum by who uses them. */
final class Constants {
  private Constants() {}

  /** Those that no class but the enum itself names. */
  static <E extends Enum<E>> List<E> unused(Class<E> type, JavaClasses code) {
    var fields = code.get(type);
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> !isUsed(fields.getField(constant.name())))
        .toList();
  }

  private static boolean isUsed(JavaField constant) {
    return constant.getAccessesToSelf().stream()
        .anyMatch(access -> !access.getOriginOwner().equals(constant.getOwner()));
  }
}
