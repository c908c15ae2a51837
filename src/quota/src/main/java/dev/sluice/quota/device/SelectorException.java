package dev.sluice.quota.device;

/** A selector cannot choose devices. The message is for its author. */
final class SelectorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SelectorException(String message) {
    super(message, null, false, false);
  }

  static SelectorException tooManySteps() {
    return new SelectorException("the selectors of devices take too many steps");
  }
}
