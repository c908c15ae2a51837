package dev.sluice.cli.migrate;

import dev.sluice.api.ApiKind;
import java.util.List;

/**
 * The result of migrating one kind.
 *
 * @param kind the kind
 * @param outcome how it ended
 * @param note another sentence; may be empty
 * @param versions the stored versions
 * @param counts the results
 * @param failures objects that could not be stored
 */
record KindReport(
    ApiKind kind,
    Outcome outcome,
    String note,
    Versions versions,
    Counts counts,
    List<Failure> failures) {

  /** How it ended. */
  enum Outcome {
    /** All objects lie at the storage version, and the definition says so. */
    MIGRATED("migrated"),
    /** The definition said already that they do. */
    NOTHING_TO_DO("nothing to do"),
    /** A dry run found something to do. */
    WOULD_MIGRATE("would migrate"),
    /** The cluster does not have this kind. */
    NOT_INSTALLED("not installed"),
    /** Something is left to do; the definition is as it was. */
    FAILED("failed");

    private final String words;

    Outcome(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * What is stored.
   *
   * @param storage the version at which objects are written; empty if not known
   * @param before {@code status.storedVersions} as it was found
   * @param after as it was left, or would be
   */
  record Versions(String storage, List<String> before, List<String> after) {
    static final Versions UNKNOWN = new Versions("", List.of(), List.of());

    Versions {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  KindReport {
    failures = List.copyOf(failures);
  }
}
