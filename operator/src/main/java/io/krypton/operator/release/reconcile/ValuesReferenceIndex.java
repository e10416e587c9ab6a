// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.krypton.api.rollout.ValuesReference;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.reconcile.ReferencedValues.Source;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who refers to which ConfigMaps and Secrets, and what was last read of each. Nothing is kept of
 * what nobody refers to.
 */
final class ValuesReferenceIndex {
  private final Map<WorkKey, Reader> readers = new HashMap<>();
  private final Map<Source, Referenced> sources = new HashMap<>();

  /** The data of one object; it may be a Secret's, and is never printed. */
  record Content(String version, Map<String, String> data) {
    static final Content ABSENT = new Content("", Map.of());

    @Override
    public String toString() {
      return "Content(" + version + ")";
    }
  }

  /** What is referred to since, and no more. */
  record Difference(Set<Source> added, Set<Source> removed) {}

  private static final class Reader {
    private final List<ValuesReference> references;
    private final Set<Source> sources;

    /** Of what was last read, which itself may be secret; null for nothing yet. */
    private @Nullable String digest;

    Reader(List<ValuesReference> references, Set<Source> sources) {
      this.references = references;
      this.sources = sources;
    }
  }

  private static final class Referenced {
    private final Set<WorkKey> readers = new HashSet<>();
    private @Nullable Content content;
  }

  /** From now on the reader refers to these and to no others. */
  synchronized Difference update(WorkKey reader, List<ValuesReference> wanted) {
    var before = readers.get(reader);
    if (before != null && before.references.equals(wanted)) {
      return new Difference(Set.of(), Set.of());
    }
    var now = new LinkedHashSet<Source>();
    for (var reference : wanted) {
      if (reference.kind() != null) {
        now.add(new Source(reference.kind(), reader.namespace(), reference.name()));
      }
    }
    if (wanted.isEmpty()) {
      readers.remove(reader);
    } else {
      readers.put(reader, new Reader(List.copyOf(wanted), now));
    }
    var added = new HashSet<Source>();
    for (var source : now) {
      var referenced = sources.get(source);
      if (referenced == null) {
        referenced = new Referenced();
        sources.put(source, referenced);
        added.add(source);
      }
      referenced.readers.add(reader);
    }
    return new Difference(added, removeUnreferenced(reader, before, now));
  }

  private Set<Source> removeUnreferenced(WorkKey reader, @Nullable Reader before, Set<Source> now) {
    var removed = new HashSet<Source>();
    for (var source : before == null ? Set.<Source>of() : before.sources) {
      var referenced = sources.get(source);
      if (referenced != null && !now.contains(source)) {
        referenced.readers.remove(reader);
        if (referenced.readers.isEmpty()) {
          sources.remove(source);
          removed.add(source);
        }
      }
    }
    return removed;
  }

  synchronized List<WorkKey> readersOf(Source source) {
    var referenced = sources.get(source);
    return referenced == null ? List.of() : new ArrayList<>(referenced.readers);
  }

  synchronized List<ValuesReference> referencesOf(WorkKey reader) {
    var known = readers.get(reader);
    return known == null ? List.of() : known.references;
  }

  synchronized @Nullable Content content(Source source) {
    var referenced = sources.get(source);
    return referenced == null ? null : referenced.content;
  }

  synchronized void put(Source source, Content content) {
    var referenced = sources.get(source);
    if (referenced != null) {
      referenced.content = content;
    }
  }

  synchronized void recordDigest(WorkKey reader, ReadResult readResult) {
    var known = readers.get(reader);
    if (known != null) {
      known.digest = digest(readResult);
    }
  }

  /** Whether the reader has read something else, or may be about to. */
  synchronized boolean differs(WorkKey reader, ReadResult now) {
    var known = readers.get(reader);
    return known != null && !digest(now).equals(known.digest);
  }

  /** How many objects are referred to. */
  synchronized int size() {
    return sources.size();
  }

  private static String digest(ReadResult readResult) {
    return switch (readResult) {
      case ReadResult.Invalid(var failureReason, var message) -> failureReason + " " + message;
      case ReadResult.Found(var chartValues) -> {
        var digest = sha256();
        for (var leaf : chartValues.canonicalLeaves()) {
          digest.update(leaf.getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
        }
        yield HexFormat.of().formatHex(digest.digest());
      }
    };
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
