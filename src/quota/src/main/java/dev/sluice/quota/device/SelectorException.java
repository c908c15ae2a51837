package dev.sluice.quota.device;

/** No device can be chosen by a selector. The message is for whoever wrote it. */
final class SelectorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SelectorException(String message) {
    super(message, null, false, false);
  }
}
