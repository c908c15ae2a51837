package dev.sluice.api.cel;

import java.util.List;

/** What a function makes of its operands; of a method the first is what it is called on. */
@FunctionalInterface
interface Function {
  /**
   * The result.
   *
   * @throws CelException if these operands have none
   */
  Object apply(List<Object> operands, CelBudget budget);
}
