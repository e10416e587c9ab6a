package io.krypton.operator.observe;

import io.krypton.operator.observe.HttpService.Answer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The head of an HTTP/1 request; all of it but the first line is of no interest to probes. */
record ProbeRequest(String method, String path, String query) {
  private static final int LONGEST = 8 * 1024;
  private static final ProbeRequest MALFORMED = new ProbeRequest("", "", "");
  private static final Map<Integer, String> PHRASES =
      Map.of(
          200, "OK",
          400, "Bad Request",
          404, "Not Found",
          405, "Method Not Allowed",
          500, "Internal Server Error");

  /**
   * Reads up to the empty line.
   *
   * @param deadline of the monotonic clock, for the whole head and not for each byte
   */
  static ProbeRequest read(Socket peer, long deadline) throws IOException {
    var input = peer.getInputStream();
    var bytes = new byte[LONGEST];
    var length = 0;
    var head = "";
    while (!head.contains("\r\n\r\n")) {
      if (length == LONGEST) {
        return MALFORMED;
      }
      peer.setSoTimeout(millisUntil(deadline));
      var more = input.read(bytes, length, LONGEST - length);
      if (more < 0) {
        throw new EOFException("closed before its request was complete");
      }
      length += more;
      head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
    return parse(head.substring(0, head.indexOf("\r\n")));
  }

  private static int millisUntil(long deadline) throws SocketTimeoutException {
    var left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    if (left <= 0) {
      throw new SocketTimeoutException("its request took too long");
    }
    return (int) left;
  }

  private static ProbeRequest parse(String line) {
    var words = line.split(" ", -1);
    if (words.length != 3 || !words[1].startsWith("/") || !words[2].startsWith("HTTP/1.")) {
      return MALFORMED;
    }
    var mark = words[1].indexOf('?');
    return mark < 0
        ? new ProbeRequest(words[0], words[1], "")
        : new ProbeRequest(words[0], words[1].substring(0, mark), words[1].substring(mark + 1));
  }

  boolean isWellFormed() {
    return !path.isEmpty();
  }

  boolean asksToRead() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** The whole answer; it is the last thing on its connection. */
  byte[] response(Answer answer) {
    var head =
        """
        HTTP/1.1 %d %s\r
        Content-Type: %s\r
        Content-Length: %d\r
        Cache-Control: no-cache, private\r
        X-Content-Type-Options: nosniff\r
        Connection: close\r
        \r
        """
            .formatted(
                answer.status(),
                PHRASES.getOrDefault(answer.status(), "Unknown"),
                answer.contentType(),
                answer.body().getBytes(StandardCharsets.UTF_8).length);
    return (method.equals("HEAD") ? head : head + answer.body()).getBytes(StandardCharsets.UTF_8);
  }
}
