package io.krypton.operator.chart;

import io.krypton.operator.values.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a packed chart says about itself. */
record ChartArchive(String version, Set<String> valueKeys) {

  static ChartArchive read(Path archive) throws LoadFailure {
    try (var tar = new TarReader(Files.newInputStream(archive))) {
      var version = "";
      var keys = new HashSet<String>();
      for (var file = tar.next(); file.isPresent(); file = tar.next()) {
        var path = file.get();
        if (isAtTop(path, "Chart.yaml")) {
          version = String.valueOf(map(path, tar.content()).get("version"));
        } else if (isAtTop(path, "values.yaml")) {
          map(path, tar.content()).keySet().forEach(key -> keys.add((String) key));
        }
      }
      if (!ChartVersion.isExact(version)) {
        throw LoadFailure.notLoaded("bad archive: no Chart.yaml with an exact version in it");
      }
      return new ChartArchive(version, keys);
    } catch (IOException e) {
      throw LoadFailure.notLoaded("bad archive: " + e.getMessage());
    }
  }

  private static boolean isAtTop(String path, String file) {
    var slash = path.indexOf('/');
    return slash > 0 && path.substring(slash + 1).equals(file);
  }

  private static Map<?, ?> map(String path, String content) throws LoadFailure {
    return switch (Yaml.read(content, Yaml.RepeatedKey.LAST_WINS)) {
      case Yaml.Malformed(var message) ->
          throw LoadFailure.notLoaded("bad archive: " + path + ": " + message);
      case Yaml.Documents documents ->
          Yaml.first(documents) instanceof Map<?, ?> map ? map : Map.of();
    };
  }
}
