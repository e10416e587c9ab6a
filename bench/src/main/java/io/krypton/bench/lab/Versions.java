package io.krypton.bench.lab;

import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** The programs that take part. */
public final class Versions {
  private Versions() {}

  public static Map<String, String> inUse() throws IOException {
    var versions = new Properties();
    try (var file = ControlPlane.class.getResourceAsStream("versions.properties")) {
      versions.load(file);
    }
    var all = new LinkedHashMap<String, String>();
    all.put("Kubernetes", versions.getProperty("kubernetes"));
    all.put("etcd", versions.getProperty("etcd"));
    all.put("Helm", versions.getProperty("helm"));
    return all;
  }
}
