package io.krypton.kms.protocol;

/** Looks at one socket from a process of its own and prints the cause. */
final class LookMain {
  private LookMain() {}

  public static void main(String[] arguments) {
    try (var connections = new PluginConnections();
        var connection = connections.open(Endpoint.ofAddress(arguments[0]), () -> {})) {
      connection
          .look()
          .ifPresentOrElse(
              fault -> System.out.println(fault.fault() + " " + fault.errno()),
              () -> System.out.println("connected"));
    }
  }
}
