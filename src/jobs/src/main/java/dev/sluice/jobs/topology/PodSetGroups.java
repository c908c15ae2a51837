package dev.sluice.jobs.topology;

import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Templates of one job that must be placed together: two, one of them for a single Pod, with the
 * same topology request.
 */
public final class PodSetGroups {
  private PodSetGroups() {}

  /** Checks all groups that the templates of one job form. */
  public static void check(List<PodSet> all, ValidationResult findings) {
    Map<String, List<PodSet>> groups = new LinkedHashMap<>();
    for (PodSet pods : all) {
      if (isGrouped(pods)) {
        groups
            .computeIfAbsent(pods.text(Annotations.POD_SET_GROUP_NAME), _ -> new ArrayList<>())
            .add(pods);
      }
    }
    groups.values().forEach(group -> checkGroup(group, findings));
  }

  private static boolean isGrouped(PodSet pods) {
    return pods.has(Annotations.POD_SET_GROUP_NAME)
        && (pods.has(Annotations.REQUIRED_TOPOLOGY) || pods.has(Annotations.PREFERRED_TOPOLOGY));
  }

  private static void checkGroup(List<PodSet> group, ValidationResult findings) {
    if (group.size() != 2) {
      report(
          group, "must be the group of two Pod templates, it is that of " + group.size(), findings);
      return;
    }
    if (group.stream().noneMatch(pods -> pods.count() == 1)) {
      report(group, "must be a group in which one Pod template is for a single Pod", findings);
    }
    if (!wants(group.getFirst()).equals(wants(group.getLast()))) {
      for (PodSet pods : group) {
        findings.add(
            new FieldError(
                FieldError.Type.INVALID,
                pods.annotations().path(),
                null,
                "must require, or prefer, the same topology as the rest of the group "
                    + pods.text(Annotations.POD_SET_GROUP_NAME)));
      }
    }
  }

  private static void report(List<PodSet> group, String detail, ValidationResult findings) {
    for (PodSet pods : group) {
      findings.add(FieldError.invalid(pods.annotation(Annotations.POD_SET_GROUP_NAME), detail));
    }
  }

  private static List<String> wants(PodSet pods) {
    return List.of(
        pods.has(Annotations.REQUIRED_TOPOLOGY) + pods.text(Annotations.REQUIRED_TOPOLOGY),
        pods.has(Annotations.PREFERRED_TOPOLOGY) + pods.text(Annotations.PREFERRED_TOPOLOGY));
  }
}
