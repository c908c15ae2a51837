package dev.sluice.api.cel;

/** The value {@code null} of the language. */
enum CelNull {
  NULL;

  @Override
  public String toString() {
    return "null";
  }
}
