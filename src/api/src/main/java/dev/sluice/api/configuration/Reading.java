package dev.sluice.api.configuration;

import java.util.List;

/** The result of reading a configuration. */
public sealed interface Reading {
  /**
   * It can be used.
   *
   * @param warnings what is odd about it, in the order of the documents
   */
  record Accepted(Configuration configuration, Extensions extensions, List<Problem> warnings)
      implements Reading {
    public Accepted {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * It cannot be used.
   *
   * @param problems all that is wrong with it, in the order of the documents; at least one
   */
  record Refused(List<Problem> problems) implements Reading {
    public Refused {
      problems = List.copyOf(problems);
    }
  }
}
