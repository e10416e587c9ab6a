// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.junit;

import io.krypton.sandbox.ControlPlane;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ModifierSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Gives tests control planes that all test classes of the JVM share, and namespaces of their own.
 *
 * <p>Use: {@code @ExtendWith(ControlPlaneExtension.class)} on the class, {@code @Cluster("home")}
 * on a parameter or static field of type {@link ControlPlane}, or on a parameter of type {@link
 * TestNamespace}. The control planes a class names start together, when the class begins, and end
 * after the last test class. They have an audit log.
 */
public final class ControlPlaneExtension implements BeforeAllCallback, ParameterResolver {
  private static final Namespace STORE = Namespace.create(ControlPlaneExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) throws IllegalAccessException {
    var testClass = context.getRequiredTestClass();
    namesIn(testClass).forEach(name -> shared(context, name));
    var fields =
        AnnotationSupport.findAnnotatedFields(testClass, Cluster.class, ModifierSupport::isStatic);
    for (var field : fields) {
      field.setAccessible(true);
      field.set(null, shared(context, nameOn(field)).get());
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return parameter.isAnnotated(Cluster.class)
        && (type == ControlPlane.class || type == TestNamespace.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var plane = shared(context, nameOn(parameter.getParameter())).get();
    if (parameter.getParameter().getType() == ControlPlane.class) {
      return plane;
    }
    // The store of this context closes it when the test is over.
    var namespace = TestNamespace.create(plane);
    context.getStore(STORE).put(UUID.randomUUID(), namespace);
    return namespace;
  }

  private static SharedControlPlane shared(ExtensionContext context, String name) {
    return context
        .getRoot()
        .getStore(STORE)
        .computeIfAbsent(name, SharedControlPlane::start, SharedControlPlane.class);
  }

  private static Set<String> namesIn(Class<?> testClass) {
    var names = new HashSet<String>();
    AnnotationSupport.findAnnotatedFields(testClass, Cluster.class)
        .forEach(field -> names.add(nameOn(field)));
    ReflectionSupport.findMethods(testClass, method -> true, HierarchyTraversalMode.TOP_DOWN)
        .forEach(method -> names.addAll(namesIn(method)));
    for (var constructor : testClass.getDeclaredConstructors()) {
      names.addAll(namesIn(constructor));
    }
    return names;
  }

  private static Set<String> namesIn(Executable executable) {
    var names = new HashSet<String>();
    Arrays.stream(executable.getParameters())
        .filter(parameter -> parameter.isAnnotationPresent(Cluster.class))
        .forEach(parameter -> names.add(nameOn(parameter)));
    return names;
  }

  private static String nameOn(AnnotatedElement element) {
    return AnnotationSupport.findAnnotation(element, Cluster.class).orElseThrow().value();
  }

  /** Names the shared control plane that a test parameter or a static field is about. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.PARAMETER, ElementType.FIELD})
  public @interface Cluster {
    String value();
  }

  /** A control plane on its way: several start at once when nobody waits for the first. */
  record SharedControlPlane(CompletableFuture<ControlPlane> starting) implements AutoCloseable {

    static SharedControlPlane start(String name) {
      return new SharedControlPlane(ControlPlane.builder(name).withAudit().startInBackground());
    }

    ControlPlane get() {
      return starting.join();
    }

    @Override
    public void close() {
      if (!starting.isCompletedExceptionally()) {
        starting.join().close();
      }
    }
  }
}
