package dev.sluice.api.names;

import java.util.ArrayList;
import java.util.List;

/**
 * The value of a label: empty, or up to 63 letters, digits, {@code -}, {@code _} and {@code .} that
 * start and end with a letter or digit.
 */
public final class LabelValue {
  /** The longest value, in characters. */
  public static final int MAX_LENGTH = 63;

  private LabelValue() {}

  /** One sentence for each rule that the text breaks; empty for a label value. */
  public static List<String> problems(String text) {
    var problems = new ArrayList<String>();
    if (text.length() > MAX_LENGTH) {
      problems.add("must have at most 63 characters, it has " + text.length());
    }
    if (!text.isEmpty() && !Characters.isLabelName(text)) {
      problems.add(
          "must be empty, or start and end with a letter or digit"
              + " and have only letters, digits, '-', '_' and '.' between");
    }
    return List.copyOf(problems);
  }
}
