package dev.sluice.cli.schema;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule in CEL, ready to be evaluated. Any thread may use it. Loading this class loads the CEL
 * library, which takes a third of a second: touch it only where there is a rule.
 */
final class CelProgram {
  private static final CelParser PARSER =
      CelParserFactory.standardCelParserBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .build();
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(CelOptions.current().enableHeterogeneousNumericComparisons(true).build())
          .build();

  private static final Pattern OLD_SELF = Pattern.compile("\\boldSelf\\b");

  private final CelRuntime.Program program;
  private final boolean comparesWithOld;

  /** The result of a rule. */
  sealed interface Result {
    /** The rule holds. */
    record Held() implements Result {}

    /** The rule does not hold. */
    record Broken() implements Result {}

    /** The rule could not be evaluated, which counts as broken. */
    record Failed(String why) implements Result {}
  }

  /**
   * A program for this expression.
   *
   * @throws IllegalArgumentException if it is no CEL
   */
  CelProgram(String expression) {
    try {
      CelAbstractSyntaxTree ast = PARSER.parse(expression).getAst();
      this.program = RUNTIME.createProgram(ast);
      this.comparesWithOld = OLD_SELF.matcher(expression).find();
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException(expression + " (expected: CEL): " + e.getMessage(), e);
    }
  }

  /** Whether the rule is about a change: it looks at {@code oldSelf}. */
  boolean comparesWithOld() {
    return comparesWithOld;
  }

  /**
   * Evaluates the rule.
   *
   * @param self the value, as {@link CelValues} makes it
   * @param oldSelf what it replaces; null if nothing, and then the rule must not ask for it
   */
  Result evaluate(Object self, @Nullable Object oldSelf) {
    Map<String, Object> variables = new HashMap<>();
    variables.put("self", self);
    if (oldSelf != null) {
      variables.put("oldSelf", oldSelf);
    }
    try {
      return Boolean.TRUE.equals(program.eval(variables)) ? new Result.Held() : new Result.Broken();
    } catch (CelEvaluationException e) {
      return new Result.Failed(String.valueOf(e.getMessage()));
    }
  }
}
