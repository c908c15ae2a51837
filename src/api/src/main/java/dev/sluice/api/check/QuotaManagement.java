package dev.sluice.api.check;

import dev.sluice.api.meta.Spelled;

/** How the quota of the manager is kept equal to that of the workers. */
public enum QuotaManagement implements Spelled {
  MANUAL("Manual"),
  AUTOMATED("Automated");

  private final String text;

  QuotaManagement(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
