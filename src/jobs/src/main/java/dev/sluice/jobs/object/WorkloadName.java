package dev.sluice.jobs.object;

import dev.sluice.api.names.ShortHash;
import dev.sluice.api.vocabulary.Annotations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name of the Workload that a job gets: kind and name of the job, cut to size, and a hash of
 * what the job is.
 */
public final class WorkloadName {
  private static final int LONGEST = 253;
  private static final int LONGEST_SHORT = 63;

  private WorkloadName() {}

  /**
   * The names to look for, the most likely first.
   *
   * @param shortNames whether a name must fit into a label
   */
  public static List<String> of(String kind, String group, JobObject job, boolean shortNames) {
    return of(kind, group, job, shortNames, List.of());
  }

  /**
   * The same for one of several Workloads of an object: the distinguishing text is part of the
   * hash.
   */
  public static List<String> of(
      String kind, String group, JobObject job, boolean shortNames, List<String> more) {
    String name = job.metadata().child("name").text().orElse("");
    return of(kind, group, name, job, shortNames, more);
  }

  /** The same for a Workload of one part of a job, which has a name of its own. */
  public static List<String> of(
      String kind, String group, String part, JobObject job, boolean shortNames) {
    return of(kind, group, part, job, shortNames, List.of());
  }

  private static List<String> of(
      String kind,
      String group,
      String name,
      JobObject job,
      boolean shortNames,
      List<String> more) {
    String origin = job.annotationText(Annotations.MULTI_KUEUE_ORIGIN_UID);
    String uid = origin.isEmpty() ? job.uid() : origin;
    int longest = shortNames ? LONGEST_SHORT : LONGEST;
    return List.of(uid, "").stream()
        .distinct()
        .map(it -> name(kind, group, name, it, longest, more))
        .toList();
  }

  private static String name(
      String kind, String group, String name, String uid, int longest, List<String> more) {
    String prefix = kind.toLowerCase(Locale.ROOT) + "-" + name;
    int room = longest - ShortHash.LENGTH - 1;
    List<String> hashed = new ArrayList<>(List.of(kind, group, name, uid));
    hashed.addAll(more);
    String hash = ShortHash.of(String.join("\n", hashed));
    return prefix.substring(0, Math.min(prefix.length(), room)) + "-" + hash;
  }
}
