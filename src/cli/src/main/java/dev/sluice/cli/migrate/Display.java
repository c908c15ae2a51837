package dev.sluice.cli.migrate;

/** Shows the progress of a walk. Safe for many threads. */
interface Display extends AutoCloseable {
  /** The number of objects expected in all, as far as known now. */
  void expect(long total);

  /** One more object was seen to. */
  void step();

  /** A sentence about something that takes time or went otherwise than hoped. */
  void say(String sentence);

  @Override
  void close();

  /** Makes one for each walk. */
  @FunctionalInterface
  interface Factory {
    /**
     * A display.
     *
     * @param task what is being done
     * @param already objects seen to by an earlier run
     */
    Display start(String task, long already);
  }
}
