package dev.sluice.conversion.kinds;

import java.io.Serial;

/**
 * A part of an object that does not have the shape it should have; says where, and what was
 * expected.
 */
final class Unreadable extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final String path;
  private final String sentence;

  Unreadable(String path, String sentence) {
    super(path + ": " + sentence, null, false, false); // an answer, not an accident: no stack trace
    this.path = path;
    this.sentence = sentence;
  }

  String path() {
    return path;
  }

  String sentence() {
    return sentence;
  }
}
