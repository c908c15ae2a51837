package dev.sluice.api.names;

import java.util.ArrayList;
import java.util.List;

/**
 * A DNS subdomain as RFC 1123 has it, in lower case: {@link DnsLabel}s of any length joined by
 * dots, 253 characters at most. The form of most object names.
 */
public final class Subdomain {
  /** The longest subdomain, in characters. */
  public static final int MAX_LENGTH = 253;

  private Subdomain() {}

  /** One sentence for each rule that the text breaks; empty for a subdomain. */
  public static List<String> problems(String text) {
    var problems = new ArrayList<String>();
    if (text.length() > MAX_LENGTH) {
      problems.add("must have at most 253 characters, it has " + text.length());
    }
    if (!isDotted(text)) {
      problems.add(
          "must be lower case letters, digits, '-' and '.',"
              + " with a letter or digit at both ends and on both sides of each '.'");
    }
    return List.copyOf(problems);
  }

  private static boolean isDotted(String text) {
    int start = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', start)) {
      if (!Characters.isDnsLabel(text.substring(start, dot))) {
        return false;
      }
      start = dot + 1;
    }
    return Characters.isDnsLabel(text.substring(start));
  }
}
