package dev.sluice.cli.scenario;

/**
 * Something that is not as expected.
 *
 * @param subject the workload or the queue
 * @param field what of it
 */
record Difference(String subject, String field, String actual, String expected) {
  @Override
  public String toString() {
    return subject + ": " + field + ": " + actual + " (expected: " + expected + ")";
  }
}
