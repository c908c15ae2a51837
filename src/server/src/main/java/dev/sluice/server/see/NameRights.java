package dev.sluice.server.see;

import dev.sluice.see.names.Names;
import dev.sluice.server.reply.Sha256;
import java.util.Iterator;
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
    AccessReviews.Verdict all = review(caller, "");
    if (all == AccessReviews.Verdict.ALLOWED) {
      return Shown.ALL;
    }
    Set<String> shown = new LinkedHashSet<>();
    Iterator<String> left = namespaces.distinct().limit(MOST_NAMESPACES).iterator();
    AccessReviews.Verdict last = all;
    while (last != AccessReviews.Verdict.UNKNOWN
        && left.hasNext()) { // without answers, each asks in vain
      String namespace = left.next();
      last = review(caller, namespace);
      if (last == AccessReviews.Verdict.ALLOWED) {
        shown.add(namespace);
      }
    }
    return Shown.of(shown);
  }

  private AccessReviews.Verdict review(Caller caller, String namespace) {
    return reviews.review(caller, Attributes.toListWorkloads(namespace));
  }
}
