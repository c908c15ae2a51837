package dev.sluice.multicluster.protocol;

/** A law of the protocol was broken. */
final class BrokenLaw extends AssertionError {
  private static final long serialVersionUID = 1;

  BrokenLaw(String what) {
    super(what);
  }
}
