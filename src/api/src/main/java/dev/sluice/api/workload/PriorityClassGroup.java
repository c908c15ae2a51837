package dev.sluice.api.workload;

import dev.sluice.api.meta.Spelled;

/** The API group of a priority class. */
public enum PriorityClassGroup implements Spelled {
  KUEUE("kueue.x-k8s.io"),
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
