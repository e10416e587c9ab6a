package io.krypton.kms.protocol;

/** Go's rules for {@code %xx}, on bytes held as one char each. */
final class PercentEncoding {
  private static final String ESCAPE = "invalid URL escape ";

  private PercentEncoding() {}

  static String decode(String text) throws GoUrl.Complaint {
    var decoded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        decoded.append(escapedByte(text, i));
        i += 2;
      } else {
        decoded.append(text.charAt(i));
      }
    }
    return decoded.toString();
  }

  /** The byte that the escape at this place stands for. */
  static char escapedByte(String text, int at) throws GoUrl.Complaint {
    if (at + 2 < text.length()) {
      var high = Character.digit(text.charAt(at + 1), 16);
      var low = Character.digit(text.charAt(at + 2), 16);
      if (high >= 0 && low >= 0 && text.charAt(at + 1) < 0x80 && text.charAt(at + 2) < 0x80) {
        return (char) (high << 4 | low);
      }
    }
    throw refused(text, at);
  }

  static GoUrl.Complaint refused(String text, int at) {
    return new GoUrl.Complaint(
        ESCAPE + GoQuote.quote(text.substring(at, Math.min(at + 3, text.length()))));
  }
}
