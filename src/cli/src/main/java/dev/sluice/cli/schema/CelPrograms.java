package dev.sluice.cli.schema;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The programs of rules, each made when it is first asked for. Any thread may use it. */
final class CelPrograms {
  private final Map<String, CelProgram> programs = new ConcurrentHashMap<>();

  CelProgram of(String expression) {
    return programs.computeIfAbsent(expression, CelProgram::new);
  }
}
