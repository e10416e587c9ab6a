package io.krypton.kms.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Canaries in files, one per plugin, so that a start can prove that data of the past is readable. A
 * file that cannot be read or written is told in the log and else ignored.
 */
public final class FileCanaryStore implements CanaryStore {
  private static final Logger LOG = LoggerFactory.getLogger(FileCanaryStore.class);

  /** Room for sixteen of the largest samples there can be. */
  private static final long MAX_BYTES = 4L << 20;

  private final Path directory;
  private final ObjectMapper mapper = new ObjectMapper();
  private final ObjectReader reader = mapper.readerForListOf(Stored.class);

  /** The form on disk. */
  @SuppressWarnings("ArrayRecordComponent") // only written and read, never compared
  record Stored(
      String provider,
      String apiVersion,
      String keyID,
      byte[] ciphertext,
      Map<String, byte[]> annotations,
      byte[] plaintextSha256,
      String time) {

    Canary canary() {
      var api = KmsApiVersion.V1.value().equals(apiVersion) ? KmsApiVersion.V1 : KmsApiVersion.V2;
      return new Canary(
          api,
          new EncryptedSample(keyID, ciphertext, annotations),
          plaintextSha256,
          Instant.parse(time));
    }
  }

  public FileCanaryStore(Path directory) {
    this.directory = directory;
  }

  @Override
  public List<Canary> load(String plugin) {
    var file = file(plugin);
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException("larger than " + MAX_BYTES + " bytes");
      }
      List<Stored> stored = reader.readValue(Files.readAllBytes(file));
      return stored.stream().map(Stored::canary).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | RuntimeException e) {
      // Not the message: parsers quote what they could not read.
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", e.getClass().getSimpleName())
          .log("canaries cannot be read, starting without them");
      return List.of();
    }
  }

  @Override
  public void save(String plugin, List<Canary> canaries) {
    var file = file(plugin);
    try {
      var stored = canaries.stream().map(canary -> stored(plugin, canary)).toList();
      writeAtomically(file, mapper.writeValueAsBytes(stored));
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", e.getClass().getSimpleName())
          .log("canaries cannot be written");
    }
  }

  private static Stored stored(String plugin, Canary canary) {
    return new Stored(
        plugin,
        canary.api().value(),
        canary.keyId(),
        canary.sample().ciphertext(),
        canary.sample().annotations(),
        canary.plaintextHash(),
        canary.createdAt().toString());
  }

  private void writeAtomically(Path file, byte[] content) throws IOException {
    Files.createDirectories(directory);
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh = Files.createTempFile(directory, ".canary", ".tmp", ownerOnly);
    try {
      try (var channel = FileChannel.open(fresh, Set.of(StandardOpenOption.WRITE))) {
        var bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Names of providers may hold any character, so that the file has a hash for a name. */
  private Path file(String plugin) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(plugin.getBytes(UTF_8));
      return directory.resolve(HexFormat.of().formatHex(hash, 0, 16) + ".json");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
