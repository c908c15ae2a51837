package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** What happens after the first variant was admitted. */
public enum ConcurrentAdmissionMigrationMode implements Spelled {
  TRY_PREFERRED_FLAVORS("TryPreferredFlavors"),
  RETAIN_FIRST_ADMISSION("RetainFirstAdmission");

  private final String text;

  ConcurrentAdmissionMigrationMode(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
