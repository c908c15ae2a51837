package dev.sluice.api.names;

import java.util.ArrayList;
import java.util.List;

/**
 * The key of a label: {@code name} or {@code prefix/name}, the prefix a {@link Subdomain}, the name
 * of 1 to 63 letters, digits, {@code -}, {@code _} and {@code .}.
 */
public final class LabelKey {
  /** The longest name part, in characters. */
  public static final int MAX_NAME_LENGTH = 63;

  private LabelKey() {}

  /** One sentence for each rule that the text breaks; empty for a label key. */
  public static List<String> problems(String text) {
    int slash = text.indexOf('/');
    if (slash != text.lastIndexOf('/')) {
      return List.of("may have one '/' only (expected: name or prefix/name)");
    }
    var problems = new ArrayList<String>();
    if (slash >= 0) {
      addPrefixProblems(text.substring(0, slash), problems);
    }
    addNameProblems(text.substring(slash + 1), problems);
    return List.copyOf(problems);
  }

  private static void addPrefixProblems(String prefix, List<String> problems) {
    if (prefix.isEmpty()) {
      problems.add("the prefix before '/' must not be empty");
      return;
    }
    for (String problem : Subdomain.problems(prefix)) {
      problems.add("the prefix before '/' " + problem);
    }
  }

  private static void addNameProblems(String name, List<String> problems) {
    if (name.isEmpty()) {
      problems.add("the name part must not be empty");
    } else if (name.length() > MAX_NAME_LENGTH) {
      problems.add("the name part must have at most 63 characters, it has " + name.length());
    }
    if (!Characters.isLabelName(name)) {
      problems.add(
          "the name part must start and end with a letter or digit"
              + " and may have only letters, digits, '-', '_' and '.' between");
    }
  }
}
