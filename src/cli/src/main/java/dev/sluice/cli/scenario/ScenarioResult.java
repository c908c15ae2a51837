package dev.sluice.cli.scenario;

import java.time.Duration;
import java.util.List;

/**
 * The result of a scenario.
 *
 * @param place its file and line
 * @param problem why it could not be run to the end, or empty
 * @param failures the steps that were not as expected
 */
record ScenarioResult(
    String name, String place, String problem, List<Failure> failures, Duration took) {
  ScenarioResult {
    failures = List.copyOf(failures);
  }

  /** A moment that was not as expected. */
  record Failure(String moment, List<Difference> differences) {
    Failure {
      differences = List.copyOf(differences);
    }
  }

  boolean passed() {
    return problem.isEmpty() && failures.isEmpty();
  }

  /** What is wrong, in lines for people. */
  String report() {
    StringBuilder text = new StringBuilder();
    if (!problem.isEmpty()) {
      text.append("  ").append(problem).append('\n');
    }
    for (Failure failure : failures) {
      text.append("  ").append(failure.moment()).append('\n');
      failure.differences().forEach(d -> text.append("    ").append(d).append('\n'));
    }
    return text.toString();
  }
}
