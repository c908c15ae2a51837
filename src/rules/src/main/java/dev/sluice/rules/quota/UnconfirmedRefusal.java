package dev.sluice.rules.quota;

/**
 * A refusal of a reservation that the view does not confirm. It names no amounts, since such a
 * reservation can be forged.
 */
public enum UnconfirmedRefusal implements Refusal {
  DOES_NOT_FIT("the reservation does not fit beside what others have reserved"),
  NOT_SEEN_YET("this version of the Workload has not been seen here yet; try again");

  private final String sentence;

  UnconfirmedRefusal(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public boolean isForEver() {
    return false;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
