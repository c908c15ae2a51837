package dev.sluice.rules;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What rules have to say about one object: violations, which refuse it, and warnings, which do not.
 * Both are kept in the order they were added, each once, and both are bounded, so that a hostile
 * object cannot produce a giant answer. For one thread.
 */
public final class ValidationResult {
  /** So many violations are kept; further ones are counted. */
  public static final int MAX_VIOLATIONS = 64;

  /** So many warnings are kept; further ones are counted. */
  public static final int MAX_WARNINGS = 16;

  /** The API server may cut a warning that is longer, in characters. */
  public static final int MAX_WARNING_LENGTH = 256;

  private final int maxViolations;
  private final Set<FieldError> violations = new LinkedHashSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private int omittedViolations;
  private int omittedWarnings;
  private @Nullable Denial failure;

  /** Nothing found yet. */
  public ValidationResult() {
    this(MAX_VIOLATIONS);
  }

  ValidationResult(int maxViolations) {
    this.maxViolations = maxViolations;
  }

  /** Adds a reason to refuse the object. */
  public void add(FieldError violation) {
    if (violations.size() < maxViolations) {
      violations.add(violation);
    } else if (!violations.contains(violation)) {
      omittedViolations++;
    }
  }

  /** Adds a warning, cut to {@link #MAX_WARNING_LENGTH}. */
  public void warn(String warning) {
    String text =
        warning.length() > MAX_WARNING_LENGTH
            ? warning.substring(0, MAX_WARNING_LENGTH - 3) + "..."
            : warning;
    if (warnings.size() < MAX_WARNINGS) {
      warnings.add(text);
    } else if (!warnings.contains(text)) {
      omittedWarnings++;
    }
  }

  /**
   * Ends the matter: what the rules need could not be had, so the answer is this, whatever else was
   * or will be found. The first failure counts.
   */
  public void fail(Denial denial) {
    failure = failure == null ? denial : failure;
  }

  /** Why the rules could not come to a verdict. */
  public Optional<Denial> failure() {
    return Optional.ofNullable(failure);
  }

  void omit(int count) {
    omittedViolations += count;
  }

  /** Whether there is any reason to refuse the object. */
  public boolean refuse() {
    return failure != null || !violations.isEmpty() || omittedViolations > 0;
  }

  /** The first violations, in the order they were found. */
  public List<FieldError> violations() {
    return List.copyOf(violations);
  }

  /** The number of violations beyond the kept ones. */
  public int omittedViolations() {
    return omittedViolations;
  }

  /** The first warnings, in the order they were found, and a last one that counts the others. */
  public List<String> warnings() {
    var all = new ArrayList<>(warnings);
    if (omittedWarnings > 0) {
      all.add("and " + omittedWarnings + " more warnings");
    }
    return List.copyOf(all);
  }
}
