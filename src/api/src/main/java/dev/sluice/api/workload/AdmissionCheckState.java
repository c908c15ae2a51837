package dev.sluice.api.workload;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a check says of a workload. */
public record AdmissionCheckState(
    String name,
    CheckState state,
    Instant lastTransitionTime,
    String message,
    @Nullable Integer requeueAfterSeconds,
    @Nullable Integer retryCount,
    List<PodSetUpdate> podSetUpdates) {
  public AdmissionCheckState {
    podSetUpdates = List.copyOf(podSetUpdates);
  }

  /** A check that has not answered yet. */
  public static AdmissionCheckState pending(String name, Instant now) {
    return new AdmissionCheckState(name, CheckState.PENDING, now, "", null, null, List.of());
  }
}
