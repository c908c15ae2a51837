package dev.sluice.conversion.review;

import dev.sluice.conversion.Outcome;

/** Receives every object of a review on the converting thread, so it must be quick. */
public interface ConversionListener {
  /** Ignores every object. */
  ConversionListener NONE = new ConversionListener() {};

  /** The next object is about to be converted. */
  default void starting() {}

  /**
   * An object was converted.
   *
   * @param outcome the result
   * @param bytes its original size
   */
  default void finished(Outcome outcome, int bytes) {}
}
