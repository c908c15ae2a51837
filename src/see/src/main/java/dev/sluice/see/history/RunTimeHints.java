package dev.sluice.see.history;

/**
 * What a user says about how long a Workload runs.
 *
 * @param maximumSeconds it is ended then; 0 for no such limit
 * @param expectedSeconds of the annotation {@code sluice.dev/runs-for}; 0 without it
 */
public record RunTimeHints(long maximumSeconds, long expectedSeconds) {
  /** The user says nothing. */
  public static final RunTimeHints NONE = new RunTimeHints(0, 0);

  /** Neither is negative. */
  public RunTimeHints {
    maximumSeconds = Math.max(0, maximumSeconds);
    expectedSeconds = Math.max(0, expectedSeconds);
  }
}
