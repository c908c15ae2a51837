package dev.sluice.testkit.browser;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides what becomes of tests that need Chromium; see {@link NeedsChromium}. */
final class ChromiumExtension implements ExecutionCondition, BeforeAllCallback {
  private static final String MISSING =
      "Chromium is not installed (expected: chromium on the PATH; on Debian, apt install chromium)";

  private static boolean mustRun() {
    return "true".equals(System.getenv("CI"));
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Chromium.program().isPresent() || mustRun()) {
      return ConditionEvaluationResult.enabled("Chromium is there, or has to be");
    }
    if (context.getTestMethod().isEmpty()) {
      System.err.println("tests skipped: " + MISSING);
    }
    return ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (Chromium.program().isEmpty()) {
      throw new AssertionError(MISSING);
    }
  }
}
