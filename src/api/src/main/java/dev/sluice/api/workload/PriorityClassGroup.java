package dev.sluice.api.workload;

import dev.sluice.api.ApiVersion;
import dev.sluice.api.meta.Spelled;

/** The API group of a priority class. */
public enum PriorityClassGroup implements Spelled {
  KUEUE(ApiVersion.GROUP),
  SCHEDULING("scheduling.k8s.io");

  private final String text;

  PriorityClassGroup(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
