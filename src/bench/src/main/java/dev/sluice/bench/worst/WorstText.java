package dev.sluice.bench.worst;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A body of a conversion that makes the most of its bytes in one way.
 *
 * @param name for a table
 * @param begin how it begins
 * @param piece what is repeated; each {@code #} becomes a letter and the number of the piece
 * @param pieces how many times
 * @param end how it ends
 */
public record WorstText(String name, String begin, String piece, int pieces, String end) {
  private static final char NUMBERED = '#';

  /** Writes it to a file, and returns how many bytes it has. */
  public long writeTo(Path file) throws IOException {
    byte[] fixed = piece.getBytes(UTF_8);
    boolean isNumbered = piece.indexOf(NUMBERED) >= 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(begin.getBytes(UTF_8));
      for (int i = 0; i < pieces; i++) {
        out.write(isNumbered ? numbered(i) : fixed);
        if (i < pieces - 1) {
          out.write(',');
        }
      }
      out.write(end.getBytes(UTF_8));
    }
    return Files.size(file);
  }

  private byte[] numbered(int number) {
    return piece.replace("#", "a" + number).getBytes(UTF_8);
  }
}
