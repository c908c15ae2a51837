package dev.sluice.json.edit;

/** A change that cannot be made in the text; the document has to be written again. */
final class NotEditableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotEditableException(String message) {
    super(message, null, false, false);
  }
}
