package dev.sluice.server.see;

import dev.sluice.see.names.Names;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds out whose names a caller may see: those of Workloads in namespaces in which the caller may
 * list Workloads. Safe for many threads; a call blocks while the API server is asked.
 */
final class NameRights {
  /** More namespaces than these are not asked about, and what is not asked is not shown. */
  private static final int MOST_NAMESPACES = 64;

  private final Reviews reviews;

  NameRights(Reviews reviews) {
    this.reviews = reviews;
  }

  /**
   * The names of these namespaces that the caller may see. An API server that does not answer never
   * means yes.
   *
   * @param namespaces those that matter, the most important ones first
   */
  Names of(Caller caller, Stream<String> namespaces) {
    if (mayList(caller, "")) {
      return Names.ALL;
    }
    Set<String> shown = new LinkedHashSet<>();
    namespaces
        .distinct()
        .limit(MOST_NAMESPACES)
        .filter(it -> mayList(caller, it))
        .forEach(shown::add);
    return new Names(shown::contains);
  }

  private boolean mayList(Caller caller, String namespace) {
    return reviews.review(caller, Attributes.toListWorkloads(namespace))
        == AccessReviews.Verdict.ALLOWED;
  }
}
