package dev.sluice.certs;

import java.util.Optional;

/**
 * A place in which several servers keep one text, such as a Secret. Calls may block, and throw a
 * {@link RuntimeException} if the place does not answer. One thread at a time.
 */
public interface AuthorityStore {

  /**
   * What is stored.
   *
   * @param text what was written last
   * @param version names this state of the place
   * @param request what an operator asks for; a text that was not there before asks for a new
   *     authority
   */
  record Stored(String text, String version, String request) {}

  /** What is stored now; empty if nothing is. */
  Optional<Stored> read();

  /**
   * Writes the text, unless somebody else was first.
   *
   * @param summary says how far the authorities in the text have come, without a key
   * @param replaced what it was made for; empty if nothing was stored
   * @return whether it is stored
   */
  boolean write(String text, String summary, Optional<Stored> replaced);

  /** Where this is, for messages. */
  @Override
  String toString();
}
