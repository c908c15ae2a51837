package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** What the search does at a flavor that fits only by borrowing, or only by preempting. */
public enum FlavorFungibilityPolicy implements Spelled {
  MAY_STOP_SEARCH("MayStopSearch"),
  TRY_NEXT_FLAVOR("TryNextFlavor");

  private final String text;

  FlavorFungibilityPolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
