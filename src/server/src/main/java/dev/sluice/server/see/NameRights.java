package dev.sluice.server.see;

import dev.sluice.see.names.Names;
import dev.sluice.server.reply.Sha256;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds out whose names a caller may see: those of Workloads in namespaces in which the caller may
 * list Workloads. Safe for many threads; a call blocks while the API server is asked.
 */
final class NameRights {
  /** More namespaces than these are not asked about, and what is not asked is not shown. */
  private static final int MOST_NAMESPACES = 64;

  /** Hexadecimal digits; enough that no two sets of namespaces have one mark. */
  private static final int MARK = 32;

  private final Reviews reviews;

  NameRights(Reviews reviews) {
    this.reviews = reviews;
  }

  /**
   * The names that a caller may see.
   *
   * @param mark part of the ETag of an answer that has them, so that an answer with other names has
   *     another one, and callers who may see the same share it; empty if all are shown
   */
  record Shown(Names names, String mark) {
    private static final Shown ALL = new Shown(Names.ALL, "");

    private static Shown of(Set<String> namespaces) {
      String mark = Sha256.hex(String.join(",", new TreeSet<>(namespaces)));
      return new Shown(new Names(namespaces::contains), "-" + mark.substring(0, MARK));
    }
  }

  /**
   * The names of these namespaces that the caller may see. An API server that does not answer never
   * means yes.
   *
   * @param namespaces those that matter, the most important ones first
   */
  Names of(Caller caller, Stream<String> namespaces) {
    return shownTo(caller, namespaces).names();
  }

  /** The same with a mark. */
  Shown shownTo(Caller caller, Stream<String> namespaces) {
    if (mayList(caller, "")) {
      return Shown.ALL;
    }
    Set<String> shown = new LinkedHashSet<>();
    namespaces
        .distinct()
        .limit(MOST_NAMESPACES)
        .filter(it -> mayList(caller, it))
        .forEach(shown::add);
    return Shown.of(shown);
  }

  private boolean mayList(Caller caller, String namespace) {
    return reviews.review(caller, Attributes.toListWorkloads(namespace))
        == AccessReviews.Verdict.ALLOWED;
  }
}
