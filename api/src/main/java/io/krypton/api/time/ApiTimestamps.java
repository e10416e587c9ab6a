// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.time;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonValueFormat;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3339 times in whole seconds, as Kubernetes keeps them.
 *
 * <p>A time that cannot be read becomes null: the API server lets through what Java refuses (a leap
 * second), and one odd entry of one writer must not make the whole object unreadable.
 */
public final class ApiTimestamps {
  private ApiTimestamps() {}

  /** Without this a record in memory would differ from its own stored copy. */
  public static @Nullable Instant wholeSeconds(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
  }

  static @Nullable Instant parse(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  static final class Writer extends StdScalarSerializer<Instant> {
    Writer() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(time.toString());
    }

    @Override
    public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
        throws JsonMappingException {
      visitStringFormat(visitor, type, JsonValueFormat.DATE_TIME);
    }
  }

  static final class Reader extends StdScalarDeserializer<Instant> {
    Reader() {
      super(Instant.class);
    }

    @Override
    public @Nullable Instant deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      return parse(json.getValueAsString(""));
    }
  }

  /** Marks an {@link java.time.Instant} that JSON carries as RFC 3339 text, with any mapper. */
  @Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
  @Retention(RetentionPolicy.RUNTIME)
  @JacksonAnnotationsInside
  @JsonSerialize(using = ApiTimestamps.Writer.class)
  @JsonDeserialize(using = ApiTimestamps.Reader.class)
  public @interface Timestamp {}
}
