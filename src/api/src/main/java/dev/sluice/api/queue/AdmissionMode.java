package dev.sluice.api.queue;

import dev.sluice.api.meta.Fallback;
import dev.sluice.api.meta.Spelled;

/** How the past use of LocalQueues counts. At v1beta1 it may be any text. */
public enum AdmissionMode implements Spelled {
  USAGE_BASED_ADMISSION_FAIR_SHARING("UsageBasedAdmissionFairSharing"),
  @Fallback
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
