// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** What all of Krypton's code keeps, whatever the module. */
public final class HouseRules {
  private static final Set<String> EMPTY_NAMES =
      Set.of("utils", "impl", "common", "manager", "misc");
  private static final int MOST_TYPES_IN_A_PACKAGE = 20;

  private HouseRules() {}

  /** The classes of a package and those below it, without tests. */
  public static JavaClasses mainClassesOf(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(rootPackage);
  }

  /** Checks every rule below on the main classes of a package. */
  public static void holdFor(String rootPackage) {
    var classes = mainClassesOf(rootPackage);
    all(rootPackage).forEach(rule -> rule.check(classes));
  }

  static List<ArchRule> all(String rootPackage) {
    return List.of(
        packagesAreFreeOfCycles(rootPackage),
        noMutableStaticFields(),
        onlyEntryPointsEndTheProcessOrPrint(),
        packagesAreNullMarked(),
        packageNamesSaySomething(),
        packagesAreSmall(),
        exceptionsAreCalledExceptions(),
        loggersAreCalledLog());
  }

  static ArchRule packagesAreFreeOfCycles(String rootPackage) {
    return slices()
        .matching(rootPackage + ".(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  static ArchRule noMutableStaticFields() {
    return fields()
        .that()
        .areStatic()
        .and(notWrittenByTheCompiler())
        .should()
        .beFinal()
        .because("static mutable state outlives its owner and is shared by accident")
        .allowEmptyShould(true);
  }

  static ArchRule onlyEntryPointsEndTheProcessOrPrint() {
    return noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Main")
        .and()
        .haveSimpleNameNotEndingWith("Command")
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .accessTargetWhere(isStandardOutput())
        .because("only commands own the process and its standard streams")
        .allowEmptyShould(true);
  }

  static ArchRule packagesAreNullMarked() {
    return classes()
        .that(areWrittenByUs())
        .should(liveInANullMarkedPackage())
        .allowEmptyShould(true);
  }

  static ArchRule packageNamesSaySomething() {
    return classes().should(liveInAPackageNamedAfterItsContent()).allowEmptyShould(true);
  }

  static ArchRule packagesAreSmall() {
    return classes()
        .that(areWrittenByUs())
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .should(liveInAPackageOfAtMost(MOST_TYPES_IN_A_PACKAGE))
        .allowEmptyShould(true);
  }

  static ArchRule exceptionsAreCalledExceptions() {
    return classes()
        .that()
        .areAssignableTo(Exception.class)
        .should()
        .haveSimpleNameEndingWith("Exception")
        .allowEmptyShould(true);
  }

  static ArchRule loggersAreCalledLog() {
    return fields()
        .that(holdALogger())
        .should()
        .haveName("log")
        .because("a log statement looks the same in every file")
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaField> notWrittenByTheCompiler() {
    return DescribedPredicate.describe(
        "not written by the compiler",
        field ->
            !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !field.getName().startsWith("$"));
  }

  private static DescribedPredicate<JavaField> holdALogger() {
    return DescribedPredicate.describe(
        "hold a logger", field -> field.getRawType().getSimpleName().equals("Logger"));
  }

  private static DescribedPredicate<JavaAccess<?>> isStandardOutput() {
    return DescribedPredicate.describe(
        "the target is System.out or System.err",
        access ->
            access.getTargetOwner().isEquivalentTo(System.class)
                && (access.getName().equals("out") || access.getName().equals("err")));
  }

  private static DescribedPredicate<JavaClass> areWrittenByUs() {
    return DescribedPredicate.describe(
        "are written by us",
        type -> !type.isAnnotatedWith("javax.annotation.processing.Generated"));
  }

  private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
    return new ArchCondition<>("live in a @NullMarked package") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
          events.add(
              SimpleConditionEvent.violated(
                  type,
                  "%s: package %s has no package-info.java with @NullMarked"
                      .formatted(type.getName(), type.getPackageName())));
        }
      }
    };
  }

  private static ArchCondition<JavaClass> liveInAPackageNamedAfterItsContent() {
    return new ArchCondition<>("live in a package named after its content") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (var part : type.getPackageName().split("\\.")) {
          if (EMPTY_NAMES.contains(part)) {
            events.add(
                SimpleConditionEvent.violated(
                    type,
                    "%s: package name part '%s' says nothing".formatted(type.getName(), part)));
          }
        }
      }
    };
  }

  private static ArchCondition<JavaClass> liveInAPackageOfAtMost(int types) {
    return new ArchCondition<>("live in a package of at most %d types".formatted(types)) {
      private Map<String, Long> sizes = Map.of();

      @Override
      public void init(Collection<JavaClass> all) {
        sizes = all.stream().collect(groupingBy(JavaClass::getPackageName, counting()));
      }

      @Override
      public void check(JavaClass type, ConditionEvents events) {
        var size = sizes.getOrDefault(type.getPackageName(), 0L);
        if (size > types) {
          events.add(
              SimpleConditionEvent.violated(
                  type,
                  "%s: package %s has %d types"
                      .formatted(type.getName(), type.getPackageName(), size)));
        }
      }
    };
  }
}
