package dev.sluice.see.timeline;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What has happened to a Workload: its creation, and the last transition of each of its conditions
 * and checks. An object keeps no more than the last one, so a repeated transition is shown once.
 *
 * @param entries the oldest first
 */
public record Timeline(ObjectKey workload, List<Entry> entries) {
  /** The type of the first entry. */
  public static final String CREATED = "Created";

  public Timeline {
    entries = List.copyOf(entries);
  }

  /**
   * One transition.
   *
   * @param at when it happened
   * @param type of the condition, or the name of the check
   * @param value what it became: True, False or Unknown, or the state of the check
   * @param reason one word of an API; empty for none
   * @param message a sentence of the controller that wrote it; untrusted text; empty for none
   */
  public record Entry(Instant at, String type, String value, String reason, String message) {}

  /** What the object tells. */
  public static Timeline of(Workload workload) {
    List<Entry> entries = new ArrayList<>();
    Instant created = workload.metadata().creationTimestamp();
    if (created != null) {
      entries.add(new Entry(created, CREATED, "True", "", ""));
    }
    for (Condition condition : workload.status().conditions()) {
      entries.add(
          new Entry(
              condition.lastTransitionTime(),
              condition.type(),
              condition.status().text(),
              condition.reason(),
              condition.message()));
    }
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      entries.add(
          new Entry(
              check.lastTransitionTime(),
              check.name(),
              check.state().text(),
              "AdmissionCheck",
              check.message()));
    }
    entries.sort(
        Comparator.comparing(Entry::at)); // stable: the order of the object within a second
    return new Timeline(ObjectKey.of(workload.metadata()), entries);
  }
}
