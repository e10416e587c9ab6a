// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.krypton.base.crypto.Sha256;
import io.krypton.base.file.AtomicFile;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Canaries in files, one per plugin, so that a start can prove that data of the past is readable. A
 * file that cannot be read or written is logged and otherwise ignored.
 */
public final class FileCanaryStore implements CanaryStore {
  private static final Logger log = LoggerFactory.getLogger(FileCanaryStore.class);

  /** Room for sixteen of the largest samples there can be. */
  private static final long MAX_BYTES = 4L << 20;

  private static final int NAME_DIGITS = 32;

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
      log.atWarn()
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
      Files.createDirectories(directory);
      AtomicFile.replace(file, mapper.writeValueAsBytes(stored));
    } catch (IOException e) {
      log.atWarn()
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

  /** Names of providers may hold any character, so that the file has a hash for a name. */
  private Path file(String plugin) {
    return directory.resolve(Sha256.hex(plugin).substring(0, NAME_DIGITS) + ".json");
  }
}
