package dev.sluice.api.check;

import dev.sluice.api.meta.Spelled;

/** What the location of a kubeconfig names. */
public enum LocationType implements Spelled {
  SECRET("Secret"),
  PATH("Path");

  private final String text;

  LocationType(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
