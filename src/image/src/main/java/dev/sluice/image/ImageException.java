package dev.sluice.image;

/** An image that cannot be built; the message is for people. */
public final class ImageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public ImageException(String message) {
    super(message);
  }

  /** With this message, because of something else. */
  ImageException(String message, Throwable cause) {
    super(message, cause);
  }
}
