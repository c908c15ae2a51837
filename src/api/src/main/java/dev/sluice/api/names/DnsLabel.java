package dev.sluice.api.names;

import java.util.ArrayList;
import java.util.List;

/**
 * A DNS label as RFC 1123 has it, in lower case: 1 to 63 letters, digits and {@code -}, with a
 * letter or digit at both ends.
 */
public final class DnsLabel {
  /** The longest label, in characters. */
  public static final int MAX_LENGTH = 63;

  private DnsLabel() {}

  /** One sentence for each rule that the text breaks; empty for a DNS label. */
  public static List<String> problems(String text) {
    var problems = new ArrayList<String>();
    if (text.length() > MAX_LENGTH) {
      problems.add("must have at most 63 characters, it has " + text.length());
    }
    if (!Characters.isDnsLabel(text)) {
      problems.add(
          "must be lower case letters, digits and '-', with a letter or digit at both ends");
    }
    return List.copyOf(problems);
  }
}
