package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** How the past use of LocalQueues counts. */
public enum AdmissionMode implements Spelled {
  USAGE_BASED_ADMISSION_FAIR_SHARING("UsageBasedAdmissionFairSharing"),
  NO_ADMISSION_FAIR_SHARING("NoAdmissionFairSharing");

  private final String text;

  AdmissionMode(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
