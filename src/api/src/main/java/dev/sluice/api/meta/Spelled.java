package dev.sluice.api.meta;

/** A value of a closed set, spelled as the API spells it. */
public interface Spelled {
  /** The word that stands in an object. */
  String text();
}
