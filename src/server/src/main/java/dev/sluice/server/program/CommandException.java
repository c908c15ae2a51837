package dev.sluice.server.program;

/** A clear no: the command ends with exit code 1 and this message, which is meant for people. */
public class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A no with this message. */
  public CommandException(String message) {
    super(message);
  }

  /** A no with this message, because of something else. */
  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
