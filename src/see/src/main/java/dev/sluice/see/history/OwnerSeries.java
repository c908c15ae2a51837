package dev.sluice.see.history;

import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.meta.OwnerReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the jobs of one CronJob, or those created with one {@code generateName}, have in common. The
 * Workload does not say which CronJob made its job, so the name of the job decides.
 */
final class OwnerSeries {
  /** As the CronJob controller appends: minutes since 1970. */
  private static final Pattern SCHEDULED = Pattern.compile("(.+)-\\d{8,11}");

  /** As the API server appends to a generateName. It uses no vowels, and no 0, 1 and 3. */
  private static final Pattern GENERATED = Pattern.compile("(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}");

  private OwnerSeries() {}

  /** Kind and stem of the owner's name; the Workload itself where it has no owner. */
  static String of(ObjectMeta workload) {
    for (OwnerReference owner : workload.ownerReferences()) {
      if (Boolean.TRUE.equals(owner.controller())) {
        return owner.kind() + "/" + stem(owner.name());
      }
    }
    return "Workload/" + stem(workload.name());
  }

  private static String stem(String name) {
    for (Pattern pattern : new Pattern[] {SCHEDULED, GENERATED}) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    return name;
  }
}
