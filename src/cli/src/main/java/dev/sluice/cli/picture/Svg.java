package dev.sluice.cli.picture;

import java.util.Locale;

/** Writes the few shapes a picture needs. */
final class Svg {
  private final StringBuilder body = new StringBuilder();

  /** A picture element that is not closed by content, with attributes as they are given. */
  void shape(String name, String attributes) {
    body.append("<").append(name).append(' ').append(attributes).append("/>\n");
  }

  void text(double x, double y, String attributes, String text) {
    body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" ");
    body.append(attributes).append('>').append(escaped(text)).append("</text>\n");
  }

  void line(double x1, double y1, double x2, double y2, String attributes) {
    shape(
        "line",
        "x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" %s"
            .formatted(number(x1), number(y1), number(x2), number(y2), attributes));
  }

  void rect(double x, double y, double width, double height, String attributes) {
    shape(
        "rect",
        "x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" %s"
            .formatted(number(x), number(y), number(width), number(height), attributes));
  }

  /** A number with at most two places, whatever the language of the machine. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.endsWith(".00") ? text.substring(0, text.length() - 3) : text;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("\\p{Cntrl}", "?");
  }

  /** The whole document. */
  String document(double width, double height) {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" \
    font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12" fill="#1f2933">
    <rect width="100%%" height="100%%" fill="#ffffff"/>
    %s</svg>
    """
        .formatted(number(width), number(height), number(width), number(height), body);
  }
}
