package dev.sluice.server;

/** Entry point of the program without the offline tools. */
public final class Main {
  private Main() {}

  /** Runs a role and exits: 0 yes, 1 a clear no, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(Roles.forArguments(args).execute(args));
  }
}
