// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.junit;

import io.krypton.sandbox.ControlPlane;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
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
 * after the last test class. They have an audit log, and nodes if {@code nodes} says so.
 */
public final class ControlPlaneExtension implements BeforeAllCallback, ParameterResolver {
  private static final Namespace STORE = Namespace.create(ControlPlaneExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) throws IllegalAccessException {
    var testClass = context.getRequiredTestClass();
    nodesByName(testClass).forEach((name, nodes) -> shared(context, name, nodes));
    var fields =
        AnnotationSupport.findAnnotatedFields(testClass, Cluster.class, ModifierSupport::isStatic);
    for (var field : fields) {
      field.setAccessible(true);
      field.set(null, shared(context, clusterOn(field)).get());
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
    var plane = shared(context, clusterOn(parameter.getParameter())).get();
    if (parameter.getParameter().getType() == ControlPlane.class) {
      return plane;
    }
    // The store of this context closes it when the test is over.
    var namespace = TestNamespace.create(plane);
    context.getStore(STORE).put(UUID.randomUUID(), namespace);
    return namespace;
  }

  private static SharedControlPlane shared(ExtensionContext context, Cluster cluster) {
    return shared(context, cluster.value(), cluster.nodes());
  }

  private static SharedControlPlane shared(ExtensionContext context, String name, int nodes) {
    var plane =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent(
                name, it -> SharedControlPlane.start(it, nodes), SharedControlPlane.class);
    if (plane.nodes() < nodes) {
      throw new ExtensionConfigurationException(
          "control plane '%s' runs with %d nodes, and nodes = %d is asked for: choose another name"
              .formatted(name, plane.nodes(), nodes));
    }
    return plane;
  }

  /** Each control plane with the largest number of nodes that the class asks for. */
  private static Map<String, Integer> nodesByName(Class<?> testClass) {
    var nodes = new HashMap<String, Integer>();
    clustersIn(testClass)
        .forEach(cluster -> nodes.merge(cluster.value(), cluster.nodes(), Math::max));
    return nodes;
  }

  private static Stream<Cluster> clustersIn(Class<?> testClass) {
    var fields =
        AnnotationSupport.findAnnotatedFields(testClass, Cluster.class).stream()
            .map(ControlPlaneExtension::clusterOn);
    var methods =
        ReflectionSupport.findMethods(testClass, method -> true, HierarchyTraversalMode.TOP_DOWN);
    var parameters =
        Stream.concat(methods.stream(), Arrays.stream(testClass.getDeclaredConstructors()))
            .flatMap(executable -> Arrays.stream(executable.getParameters()))
            .filter(parameter -> parameter.isAnnotationPresent(Cluster.class))
            .map(ControlPlaneExtension::clusterOn);
    return Stream.concat(fields, parameters);
  }

  private static Cluster clusterOn(AnnotatedElement element) {
    return AnnotationSupport.findAnnotation(element, Cluster.class).orElseThrow();
  }

  /** Names the shared control plane that a test parameter or a static field is about. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.PARAMETER, ElementType.FIELD})
  public @interface Cluster {
    String value();

    /** How many simulated nodes it shall have at least; pods run on these only. */
    int nodes() default 0;
  }

  /** A control plane on its way: several start at once when nobody waits for the first. */
  record SharedControlPlane(CompletableFuture<ControlPlane> starting, int nodes)
      implements AutoCloseable {

    static SharedControlPlane start(String name, int nodes) {
      var builder = ControlPlane.builder(name).withAudit().withNodes(nodes);
      return new SharedControlPlane(builder.startInBackground(), nodes);
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
