// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A whole response; pages are small. Every one says that it must not be cached. */
public record PageResponse(int status, String body, Map<String, String> headers) {
  public static final String TEXT = "text/plain; charset=utf-8";
  public static final String JSON = "application/json";

  /** The text format of Prometheus. */
  public static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  public static final PageResponse NOT_FOUND = text(404, "404 page not found\n");

  private static final String CONTENT_TYPE = "Content-Type";
  private static final String NOSNIFF = "X-Content-Type-Options";

  public PageResponse {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  public static PageResponse of(int status, String contentType, String body) {
    var headers = new LinkedHashMap<String, String>();
    headers.put(CONTENT_TYPE, contentType);
    headers.put("Cache-Control", "no-cache, private");
    headers.put(NOSNIFF, "nosniff");
    return new PageResponse(status, body, headers);
  }

  public static PageResponse text(int status, String body) {
    return of(status, TEXT, body);
  }

  public static PageResponse ok(String body) {
    return text(200, body);
  }

  public static PageResponse json(int status, String body) {
    return of(status, JSON, body);
  }

  public static PageResponse metrics(String body) {
    return of(200, METRICS, body);
  }

  /** The usual response of a probe: {@code ok}, or 503 and what is wrong. */
  public static PageResponse probe(boolean passes, String otherwise) {
    return passes ? ok("ok\n") : text(503, otherwise + "\n");
  }

  /** With this header in place of an earlier one of the same name. */
  public PageResponse with(String header, String value) {
    var changed = new LinkedHashMap<>(headers);
    changed.put(header, value);
    return new PageResponse(status, body, changed);
  }

  public PageResponse withContentType(String contentType) {
    return with(CONTENT_TYPE, contentType);
  }

  /** For pages that must look like those of a server that does not send this header. */
  public PageResponse withoutNosniff() {
    var changed = new LinkedHashMap<>(headers);
    changed.remove(NOSNIFF);
    return new PageResponse(status, body, changed);
  }
}
