package dev.sluice.api.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Worker clusters in order, and how the quota of the manager is managed. */
public record MultiKueueConfigSpec(
    List<String> clusters, @Nullable QuotaManagement quotaManagement) {
  public MultiKueueConfigSpec {
    clusters = List.copyOf(clusters);
  }
}
