package io.krypton.multicluster.cluster.kubeconfig;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
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
    try {
      var choice = ContextChoice.named(KubeconfigYaml.read(bounded(file)), context);
      return new Loaded.Found(inlined(choice, file.toAbsolutePath().getParent()));
    } catch (KubeconfigProblem problem) {
      return new Loaded.Unusable(file + ": " + problem.reason());
    } catch (NoSuchFileException e) {
      return new Loaded.Unusable(e.getFile() + " does not exist");
    } catch (IOException e) {
      return new Loaded.Unusable(file + " or a file it names cannot be read");
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
      return new Loaded.Found(inlined(new ContextChoice(cluster, user), null));
    } catch (KubeconfigProblem problem) {
      return new Loaded.Unusable(problem.reason());
    } catch (IOException e) {
      return new Loaded.Unusable("the files of the service account cannot be read");
    }
  }

  /** Credentials that are inline already. */
  public static LocalKubeconfig of(Kubeconfig.Accepted accepted) {
    return new LocalKubeconfig(accepted.toYaml(), null);
  }

  /** The policy's word on the inlined content: programs and passwords stay refused here. */
  public Kubeconfig content() {
    return Kubeconfig.parse(yaml);
  }

  /** The bytes that {@link #content()} judged. */
  public byte[] toYaml() {
    return yaml.clone();
  }

  /** The file the token came from; it may change at any time. */
  public Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  /** The same with the token that the token file holds now, if it can be read. */
  public LocalKubeconfig refreshed() {
    if (tokenFile == null || !(content() instanceof Kubeconfig.Accepted accepted)) {
      return this;
    }
    try {
      return new LocalKubeconfig(accepted.withToken(token(tokenFile)).toYaml(), tokenFile);
    } catch (IOException e) {
      return this;
    }
  }

  private static String token(Path file) throws IOException {
    return new String(bounded(file), StandardCharsets.UTF_8).strip();
  }

  private static LocalKubeconfig inlined(ContextChoice choice, @Nullable Path directory)
      throws IOException, KubeconfigProblem {
    inlineFiles(choice.cluster(), directory);
    inlineFiles(choice.user(), directory);
    var tokenFile = path(choice.user(), TOKEN_FILE, directory);
    if (tokenFile != null) {
      choice.user().put("token", token(tokenFile)).remove(TOKEN_FILE);
    }
    var yaml = KubeconfigWriter.write(choice.cluster(), choice.user());
    return new LocalKubeconfig(yaml.getBytes(StandardCharsets.UTF_8), tokenFile);
  }

  private static void inlineFiles(ObjectNode node, @Nullable Path directory)
      throws IOException, KubeconfigProblem {
    for (var form : INLINE_FORM.entrySet()) {
      var file = path(node, form.getKey(), directory);
      if (file == null) {
        continue;
      }
      if (!Fields.present(node, form.getValue())) { // inline data wins over a file, as in kubectl
        node.put(form.getValue(), Base64.getEncoder().encodeToString(bounded(file)));
      }
      node.remove(form.getKey());
    }
  }

  private static @Nullable Path path(ObjectNode node, String field, @Nullable Path directory)
      throws KubeconfigProblem {
    var text = Fields.text(node, field);
    if (text == null) {
      return null;
    }
    return directory == null ? Path.of(text) : directory.resolve(text);
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
