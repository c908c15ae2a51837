package dev.sluice.supervision;

import java.util.List;

/**
 * Whether a process is healthy or must be restarted.
 *
 * @param problems a sentence for each part that is stuck or keeps failing; empty if there is none
 */
public record Health(List<String> problems) {
  /** Nothing is wrong. */
  public static final Health GOOD = new Health(List.of());

  public Health {
    problems = List.copyOf(problems);
  }

  /** Whether nothing is wrong. */
  public boolean isGood() {
    return problems.isEmpty();
  }

  /** What {@code /healthz} answers: {@code ok}, or a line for each problem. */
  public String text() {
    return isGood() ? "ok" : String.join("\n", problems);
  }
}
