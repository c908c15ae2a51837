package dev.sluice.api.meta;

/** A value of a closed set, spelled as the API spells it. */
public interface Spelled {
  /** The word as it is written in objects. */
  String text();
}
