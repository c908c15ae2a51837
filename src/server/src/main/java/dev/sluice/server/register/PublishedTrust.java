package dev.sluice.server.register;

/** The certificates by which a server is trusted. Thread-safe. */
public interface PublishedTrust {

  /** Those that clients are to trust, as PEM; empty for none. */
  String bundle();

  /** Those of {@link #bundle} that have to be seen before others can be used, as PEM. */
  default String awaited() {
    return bundle();
  }

  /** Those that clients are to trust no more, as PEM; empty for none. */
  default String withdrawn() {
    return "";
  }

  /**
   * Tells whether all places had this bundle when they were just looked at; those that somebody
   * else writes, whether they had what is awaited of it.
   */
  default void seen(String bundle, boolean everywhere) {}

  /** Looks for something new; called every two seconds. May block. */
  default void refresh() {}
}
