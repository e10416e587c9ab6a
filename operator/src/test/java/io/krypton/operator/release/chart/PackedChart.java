// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes charts as Helm packs them. */
public final class PackedChart {
  private final Map<String, String> files = new LinkedHashMap<>();

  static byte[] of(String name, String version, String values) {
    return new PackedChart()
        .with(
            name + "/Chart.yaml",
            "apiVersion: v2\nname: %s\nversion: %s\n".formatted(name, version))
        .with(name + "/values.yaml", values)
        .with(name + "/charts/sub/values.yaml", "notOurs: true\n")
        .bytes();
  }

  PackedChart with(String path, String content) {
    files.put(path, content);
    return this;
  }

  /** The chart in a directory, which is called as the chart is. */
  public static byte[] ofDirectory(Path chart) {
    var packed = new PackedChart();
    try (var files = Files.walk(chart)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        packed.with(chart.getFileName() + "/" + chart.relativize(file), Files.readString(file));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return packed.bytes();
  }

  byte[] bytes() {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      for (var file : files.entrySet()) {
        var content = file.getValue().getBytes(StandardCharsets.UTF_8);
        gzip.write(header(file.getKey(), content.length));
        gzip.write(content);
        gzip.write(new byte[(512 - content.length % 512) % 512]);
      }
      gzip.write(new byte[1024]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return packed.toByteArray();
  }

  private static byte[] header(String path, int size) {
    var header = new byte[512];
    put(header, 0, path);
    put(header, 100, "0000644");
    put(header, 124, "%011o".formatted(size));
    header[156] = '0';
    put(header, 257, "ustar");
    put(header, 148, "        ");
    var sum = 0;
    for (var each : header) {
      sum += each & 0xff;
    }
    put(header, 148, "%06o\0".formatted(sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The chart web as the smallest registry that Helm accepts serves it. */
  static void publish(ChartServer registry, String tag, byte[] archive) {
    var config = "{\"name\":\"web\",\"version\":\"1.2.3\"}".getBytes(StandardCharsets.UTF_8);
    var manifest =
        """
        {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
         "config": {"mediaType": "application/vnd.cncf.helm.config.v1+json",
                    "digest": "sha256:%s", "size": %d},
         "layers": [{"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
                     "digest": "sha256:%s", "size": %d}]}
        """
            .formatted(sha256(config), config.length, sha256(archive), archive.length)
            .getBytes(StandardCharsets.UTF_8);
    var root = "/v2/charts/web/";
    registry
        .serve("/v2/", "{}".getBytes(StandardCharsets.UTF_8))
        .serve(
            root + "tags/list",
            "{\"name\":\"charts/web\",\"tags\":[\"0.1.0\",\"%s\",\"2.0.0-rc.1\"]}"
                .formatted(tag)
                .getBytes(StandardCharsets.UTF_8))
        .serve(root + "manifests/" + tag, manifest)
        .serve(root + "manifests/sha256:" + sha256(manifest), manifest)
        .serve(root + "blobs/sha256:" + sha256(config), config)
        .serve(root + "blobs/sha256:" + sha256(archive), archive);
  }
}
