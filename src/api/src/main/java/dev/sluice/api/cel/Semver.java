package dev.sluice.api.cel;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version after Semantic Versioning 2.0.0. Equal are those of equal precedence: build metadata is
 * left out. Immutable.
 *
 * @param numbers major, minor and patch
 * @param preRelease what follows a hyphen; empty for a release
 */
public record Semver(List<Long> numbers, List<String> preRelease) implements Comparable<Semver> {
  /** The longest text that is read. */
  private static final int MAX_LENGTH = 256;

  private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
  private static final String IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  private static final Pattern VERSION =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-("
              + IDENTIFIER
              + "(?:\\."
              + IDENTIFIER
              + ")*+))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*+)?");
  private static final int PRE_RELEASE = 4;

  public Semver {
    numbers = List.copyOf(numbers);
    preRelease = List.copyOf(preRelease);
  }

  /** Reads the whole text; empty if it is no version. */
  public static Optional<Semver> parse(String text) {
    Matcher matcher = VERSION.matcher(text);
    if (text.length() > MAX_LENGTH || !matcher.matches()) {
      return Optional.empty();
    }
    String after = matcher.group(PRE_RELEASE);
    return Optional.of(
        new Semver(
            List.of(number(matcher, 1), number(matcher, 2), number(matcher, 3)),
            after == null ? List.of() : List.of(after.split("\\.", -1))));
  }

  private static Long number(Matcher matcher, int group) {
    return Long.valueOf(matcher.group(group));
  }

  @Override
  public int compareTo(Semver other) {
    for (int i = 0; i < numbers.size(); i++) {
      int order = numbers.get(i).compareTo(other.numbers.get(i));
      if (order != 0) {
        return order;
      }
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
      int order = compare(preRelease.get(i), other.preRelease.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  /** Numbers come before words. */
  private static int compare(String one, String other) {
    boolean isNumber = one.chars().allMatch(Character::isDigit);
    boolean isOtherNumber = other.chars().allMatch(Character::isDigit);
    if (isNumber && isOtherNumber) {
      return new BigInteger(one).compareTo(new BigInteger(other));
    }
    return isNumber == isOtherNumber ? one.compareTo(other) : (isNumber ? -1 : 1);
  }
}
