package dev.sluice.quota.recording;

/** A recording, or a part of one, cannot be read; the message says where and why. */
public final class MalformedRecordingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedRecordingException(String message) {
    super(message);
  }

  public MalformedRecordingException(String message, Throwable cause) {
    super(message, cause);
  }
}
