package dev.sluice.cli.migrate;

import dev.sluice.cli.cluster.StoredKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the walk over the objects of one kind. All objects up to {@code last} have been
 * processed since the definition of the kind got its current spec, except those that failed.
 *
 * @param definition the definition and its state
 * @param next what continues the list; null at the start and when the walk is complete
 * @param last the last processed object; null at the start
 * @param complete whether the end of the list was reached
 * @param counts the results so far
 * @param failures objects that could not be stored, to be tried again
 */
record Checkpoint(
    Definition definition,
    @Nullable String next,
    @Nullable String last,
    boolean complete,
    Counts counts,
    List<Failure> failures) {

  /**
   * A state of a definition. With another generation the storage version may have been changed and
   * changed back in between, so what was seen to before proves nothing.
   */
  record Definition(String uid, long generation, String storageVersion) {
    static Definition of(StoredKind kind) {
      return new Definition(
          kind.identity().uid(), kind.identity().generation(), kind.storageVersion());
    }
  }

  Checkpoint {
    failures = List.copyOf(failures);
  }

  /** Nothing has been seen to. */
  static Checkpoint start(Definition definition) {
    return new Checkpoint(definition, null, null, false, Counts.NONE, List.of());
  }

  /** The number of objects seen to, failed ones included. */
  long seen() {
    return counts.rewritten() + counts.unchanged() + counts.gone() + failures.size();
  }

  /** After one more page. */
  Checkpoint after(
      Counts more, List<Failure> failed, @Nullable String newLast, @Nullable String continueToken) {
    List<Failure> all = new ArrayList<>(failures);
    all.addAll(failed);
    return new Checkpoint(
        definition,
        continueToken,
        newLast == null ? last : newLast,
        continueToken == null,
        counts.plus(more),
        all);
  }

  /** The same place, from where the list is asked for with another token, or from its start. */
  Checkpoint continuing(@Nullable String token) {
    return new Checkpoint(definition, token, last, complete, counts, failures);
  }

  /** After those that failed were tried again. */
  Checkpoint retried(Counts more, List<Failure> stillFailing) {
    return new Checkpoint(definition, next, last, complete, counts.plus(more), stillFailing);
  }
}
