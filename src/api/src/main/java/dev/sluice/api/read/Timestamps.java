package dev.sluice.api.read;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/** Reads times. Objects are full of them, nearly all in the one form that an API server writes. */
public final class Timestamps {
  private static final String USUAL = "0000-00-00T00:00:00Z";

  private Timestamps() {}

  /**
   * As {@link Instant#parse}, and much faster where the text is like {@code 2026-01-31T12:00:00Z}.
   *
   * @throws DateTimeParseException if it is no time
   */
  public static Instant parse(String text) {
    return isUsual(text) ? usual(text) : Instant.parse(text);
  }

  private static boolean isUsual(String text) {
    if (text.length() != USUAL.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char expected = USUAL.charAt(i);
      char found = text.charAt(i);
      if (expected == '0' ? found < '0' || found > '9' : found != expected) {
        return false;
      }
    }
    return number(text, 11, 13) < 24 && number(text, 14, 16) < 60 && number(text, 17, 19) < 60;
  }

  private static Instant usual(String text) {
    long day;
    try {
      day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
    } catch (DateTimeException e) {
      throw new DateTimeParseException(text + " is no day", text, 0, e);
    }
    long minutes = (day * 24 + number(text, 11, 13)) * 60 + number(text, 14, 16);
    return Instant.ofEpochSecond(minutes * 60 + number(text, 17, 19));
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = number * 10 + (text.charAt(i) - '0');
    }
    return number;
  }
}
