package dev.sluice.cli;

/** Entry point of the program. */
public final class Main {
  private Main() {}

  /** Runs a command and exits: 0 yes, 1 a clear no, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(Sluice.forArguments(args).execute(args));
  }
}
