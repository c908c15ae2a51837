package dev.sluice.jobs.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.vocabulary.Annotations;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The name of the Workload that a job gets: kind and name of the job, cut to size, and a hash of
 * what the job is.
 */
public final class WorkloadName {
  private static final int LONGEST = 253;
  private static final int LONGEST_SHORT = 63;
  private static final int HASH_DIGITS = 5;

  private WorkloadName() {}

  /**
   * The names to look for, the likelier first.
   *
   * @param shortNames whether a name must fit into a label
   */
  public static List<String> of(String kind, String group, JobObject job, boolean shortNames) {
    return of(kind, group, job, shortNames, List.of());
  }

  /** The same for one Workload of several: what tells them apart goes into the hash, too. */
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
    int room = longest - HASH_DIGITS - 1;
    List<String> hashed = new ArrayList<>(List.of(kind, group, name, uid));
    hashed.addAll(more);
    String hash = hash(String.join("\n", hashed));
    return prefix.substring(0, Math.min(prefix.length(), room)) + "-" + hash;
  }

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}
