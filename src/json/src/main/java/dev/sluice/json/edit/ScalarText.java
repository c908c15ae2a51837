package dev.sluice.json.edit;

import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes single values on one line, quoted where they must be or where their neighbours are. */
final class ScalarText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]+");
  private static final Resolver RESOLVER = new Resolver();

  private ScalarText() {}

  /** A value that takes the place of what was written like this, in its manner. */
  static String instead(String old, JsonSlice value) {
    String text = value.text();
    return text == null ? value.spelling() : instead(old, text);
  }

  /** A string that takes the place of what was written like this, in its manner. */
  static String instead(String old, String text) {
    return switch (old.isEmpty() ? ' ' : old.charAt(0)) {
      case '&', '!', '*', '?' -> throw new NotEditableException("an anchor or a tag: " + old);
      case '"' -> quoted(text);
      case '\'' -> singleQuoted(text);
      default -> plain(text);
    };
  }

  /** The string without quotes if every reader of YAML takes it for a string. */
  static String plain(String text) {
    boolean plain =
        PLAIN.matcher(text).matches()
            && RESOLVER.resolve(NodeId.scalar, text, true).equals(Tag.STR)
            && !text.toLowerCase(Locale.ROOT).matches("nan|inf|infinity");
    return plain ? text : quoted(text);
  }

  private static String singleQuoted(String text) {
    boolean printable = text.codePoints().allMatch(c -> c >= ' ' && c < 0x7f);
    return printable ? "'" + text.replace("'", "''") + "'" : quoted(text);
  }

  /** The string as JSON, with escapes for all that YAML does not allow within quotes. */
  static String quoted(String text) {
    JsonOutput out = new JsonOutput();
    out.writeText(text);
    String json = new String(out.toByteArray(), StandardCharsets.UTF_8);
    StringBuilder quoted = new StringBuilder(json.length());
    json.chars()
        .forEach(
            c -> {
              if (isUnprintable(c)) {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.toString();
  }

  private static boolean isUnprintable(int c) {
    return (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c >= 0xfffe;
  }
}
