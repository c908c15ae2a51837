package dev.sluice.webhook.rules.workload;

import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The reclaimable pods of each set: at most the size of the set, and while quota is reserved never
 * fewer than before, unless the set itself became smaller.
 */
final class ReclaimablePods {
  private ReclaimablePods() {}

  static void check(RuleInput input, ValidationResult findings) {
    Settings settings = input.world().settings();
    Map<String, Long> before = counts(input.oldRoot());
    Ratchet.check(
        input, findings, (root, found) -> check(new WorkloadView(root), before, settings, found));
    input
        .oldRoot()
        .map(WorkloadView::new)
        .filter(old -> old.isReserved() && new WorkloadView(input.root()).isReserved())
        .ifPresent(old -> checkGrowth(old, new WorkloadView(input.root()), settings, findings));
  }

  private static Field list(WorkloadView workload) {
    return workload.status().child("reclaimablePods");
  }

  private static List<Field> entries(WorkloadView workload) {
    Field list = list(workload);
    List<Field> entries = new ArrayList<>();
    list.items(WorkloadView.MAX_ITEMS).forEach(it -> entries.add(WorkloadView.named(list, it)));
    return entries;
  }

  private static Map<String, Long> counts(Optional<Field> root) {
    Map<String, Long> counts = new HashMap<>();
    root.map(WorkloadView::new)
        .map(ReclaimablePods::entries)
        .orElse(List.of())
        .forEach(it -> counts.put(WorkloadView.name(it), reclaimable(it)));
    return counts;
  }

  private static long reclaimable(Field entry) {
    return entry.child("count").integer().orElse(0L);
  }

  private static void check(
      WorkloadView workload,
      Map<String, Long> before,
      Settings settings,
      ValidationResult findings) {
    Map<String, Field> podSets = workload.podSetsByName();
    for (Field entry : entries(workload)) {
      String name = WorkloadView.name(entry);
      Field podSet = podSets.get(name);
      if (podSet == null) {
        findings.add(FieldError.notSupported(entry.child("name"), podSets.keySet()));
        continue;
      }
      boolean wasSo =
          workload.isElastic(settings) && Long.valueOf(reclaimable(entry)).equals(before.get(name));
      if (reclaimable(entry) > WorkloadView.count(podSet) && !wasSo) {
        findings.add(
            FieldError.invalid(
                entry.child("count"),
                "must not be more than the %d pods of the set"
                    .formatted(WorkloadView.count(podSet))));
      }
    }
  }

  private static void checkGrowth(
      WorkloadView old, WorkloadView workload, Settings settings, ValidationResult findings) {
    if (SameValue.of(list(old).node(), list(workload).node())) {
      return;
    }
    Map<String, Field> now = new HashMap<>();
    entries(workload).forEach(it -> now.put(WorkloadView.name(it), it));
    for (Field before : entries(old)) {
      String name = WorkloadView.name(before);
      Field after = now.get(name);
      if (workload.isScaledDown(name, settings)) {
        continue;
      }
      if (after == null) {
        findings.add(
            FieldError.required(before, "cannot be removed: its quota was given back already"));
      } else if (reclaimable(after) < reclaimable(before)) {
        findings.add(
            FieldError.invalid(
                after.child("count"),
                "must not be less than the %d before: that quota was given back already"
                    .formatted(reclaimable(before))));
      }
    }
  }
}
