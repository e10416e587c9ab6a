// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig file of this machine. Its owner is trusted, so the files it refers to are read; the
 * result holds one context with everything inline.
 */
public final class LocalKubeconfig {
  private static final Map<String, String> INLINE_FORM =
      Map.of(
          "certificate-authority", "certificate-authority-data",
          "client-certificate", "client-certificate-data",
          "client-key", "client-key-data");
  private static final String TOKEN_FILE = "tokenFile";
  private static final String CURRENT = "current-context";

  /** The lists of a kubeconfig, each with the field that holds the body of its entries. */
  private static final Map<String, String> LISTS =
      Map.of("clusters", "cluster", "users", "user", "contexts", "context");

  private final byte[] yaml;
  private final @Nullable Path tokenFile;

  private LocalKubeconfig(byte[] yaml, @Nullable Path tokenFile) {
    this.yaml = yaml;
    this.tokenFile = tokenFile;
  }

  /** What reading a file gave. */
  public sealed interface Loaded {
    record Found(LocalKubeconfig kubeconfig) implements Loaded {}

    record Unusable(String reason) implements Loaded {}
  }

  /** Reads one context of a file; no context means the current one. Never throws. */
  public static Loaded read(Path file, @Nullable String context) {
    return read(List.of(file), context);
  }

  /**
   * Reads one context of several files as if they were one. As with kubectl, the first file that
   * has an entry of some name, or a current-context, wins; files that do not exist are passed over
   * unless none does. Never throws.
   */
  public static Loaded read(List<Path> files, @Nullable String context) {
    var present = files.stream().filter(Files::exists).toList();
    var names = present.stream().map(Path::toString).collect(Collectors.joining(", "));
    if (present.isEmpty()) {
      return new Loaded.Unusable(files.getFirst() + " does not exist");
    }
    try {
      var merged = JsonNodeFactory.instance.objectNode();
      for (var file : present) {
        merge(KubeconfigYaml.read(bounded(file)), file.toAbsolutePath().getParent(), merged);
      }
      return new Loaded.Found(inlined(SelectedContext.select(merged, context)));
    } catch (KubeconfigException problem) {
      return new Loaded.Unusable(names + ": " + problem.reason());
    } catch (NoSuchFileException e) {
      return new Loaded.Unusable(e.getFile() + " does not exist");
    } catch (IOException e) {
      return new Loaded.Unusable(names + " or a file it names cannot be read");
    }
  }

  private static void merge(ObjectNode file, @Nullable Path directory, ObjectNode merged)
      throws KubeconfigException {
    if (!KubeconfigFields.present(merged, CURRENT) && KubeconfigFields.present(file, CURRENT)) {
      merged.set(CURRENT, file.get(CURRENT));
    }
    for (var list : LISTS.entrySet()) {
      var known = merged.withArrayProperty(list.getKey());
      var before = known.valueStream().map(LocalKubeconfig::nameOf).collect(Collectors.toSet());
      for (var entry : file.path(list.getKey())) {
        if (before.contains(nameOf(entry))) {
          continue;
        }
        if (directory != null && entry.path(list.getValue()) instanceof ObjectNode body) {
          resolvePaths(body, directory);
        }
        known.add(entry);
      }
    }
  }

  private static String nameOf(JsonNode entry) {
    return entry.path("name").asText("");
  }

  /** Before files are merged: each names others from where it lies itself. */
  private static void resolvePaths(ObjectNode body, Path directory) throws KubeconfigException {
    for (var field :
        List.of("certificate-authority", "client-certificate", "client-key", TOKEN_FILE)) {
      var text = KubeconfigFields.text(body, field);
      if (text != null) {
        body.put(field, directory.resolve(text).toString());
      }
    }
  }

  /** What a pod is given: a server by environment, authority and token by files. */
  public static Loaded ofServiceAccount(URI server, Path authorityFile, Path tokenFile) {
    var cluster = JsonNodeFactory.instance.objectNode();
    cluster.put("server", server.toString());
    cluster.put("certificate-authority", authorityFile.toAbsolutePath().toString());
    var user = JsonNodeFactory.instance.objectNode();
    user.put(TOKEN_FILE, tokenFile.toAbsolutePath().toString());
    try {
      return new Loaded.Found(inlined(new SelectedContext(cluster, user)));
    } catch (KubeconfigException problem) {
      return new Loaded.Unusable(problem.reason());
    } catch (IOException e) {
      return new Loaded.Unusable("the files of the service account cannot be read");
    }
  }

  /** Credentials that are inline already. */
  public static LocalKubeconfig of(ParsedKubeconfig.Accepted accepted) {
    return new LocalKubeconfig(accepted.toYaml(), null);
  }

  /** The inlined content as parsed by the policy: programs and passwords are refused. */
  public ParsedKubeconfig content() {
    return ParsedKubeconfig.parse(yaml);
  }

  /** The bytes that {@link #content()} parsed. */
  public byte[] toYaml() {
    return yaml.clone();
  }

  /** The file the token came from; it may change at any time. */
  public Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  private static String token(Path file) throws IOException {
    return new String(bounded(file), StandardCharsets.UTF_8).strip();
  }

  private static LocalKubeconfig inlined(SelectedContext choice)
      throws IOException, KubeconfigException {
    inlineFiles(choice.cluster());
    inlineFiles(choice.user());
    var tokenFile = path(choice.user(), TOKEN_FILE);
    if (tokenFile != null) {
      choice.user().put("token", token(tokenFile)).remove(TOKEN_FILE);
    }
    var yaml = KubeconfigWriter.write(choice.cluster(), choice.user());
    return new LocalKubeconfig(yaml.getBytes(StandardCharsets.UTF_8), tokenFile);
  }

  private static void inlineFiles(ObjectNode node) throws IOException, KubeconfigException {
    for (var form : INLINE_FORM.entrySet()) {
      var file = path(node, form.getKey());
      if (file == null) {
        continue;
      }
      if (!KubeconfigFields.present(
          node, form.getValue())) { // inline data wins over a file, as in kubectl
        node.put(form.getValue(), Base64.getEncoder().encodeToString(bounded(file)));
      }
      node.remove(form.getKey());
    }
  }

  private static @Nullable Path path(ObjectNode node, String field) throws KubeconfigException {
    var text = KubeconfigFields.text(node, field);
    return text == null ? null : Path.of(text);
  }

  private static byte[] bounded(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(KubeconfigYaml.MAX_BYTES + 1);
    }
  }

  @Override
  public String toString() {
    return "LocalKubeconfig[redacted]";
  }
}
