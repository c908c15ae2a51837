package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What broke the contract: each is told in a line, and its input saved where the build leaves it.
 * For many threads.
 */
final class Breaches {
  private static final Path FOLDER = Path.of("target", "hostile");
  private static final int MOST = 10;

  /** Bodies may have 40 MiB: of an attack no more than this is kept in all. */
  private static final long MOST_BYTES = 64 << 20;

  private final String attack;
  private final long seed;
  private final List<String> lines = new ArrayList<>();
  private int count;
  private long saved;

  Breaches(String attack, long seed) {
    this.attack = attack;
    this.seed = seed;
  }

  /** Notes what a body led to. */
  synchronized void add(Body body, String what) {
    if (count++ < MOST) {
      String name = "%s-%d-%d".formatted(body.generator(), seed, body.number());
      saved += body.bytes().length;
      String input =
          saved > MOST_BYTES ? "not saved" : save(name + ".body", body.bytes()).toString();
      save(name + ".txt", (body + ", seed " + seed + "\n" + what + "\n").getBytes(UTF_8));
      lines.add("%s: %s (%s)".formatted(body, what, input));
    }
  }

  /** Notes something that no body alone led to. */
  synchronized void add(String what) {
    if (count++ < MOST) {
      lines.add(what);
    }
  }

  /** Keeps what a container wrote since the attack began. */
  void saveLog(Container container) {
    save("%s-%d-%s.log".formatted(attack, seed, container.role()), container.log().getBytes(UTF_8));
  }

  private static Path save(String name, byte[] bytes) {
    try {
      return Files.write(Files.createDirectories(FOLDER).resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized int count() {
    return count;
  }

  /** All that is known, for a message; empty if nothing was broken. */
  synchronized String report() {
    return count == 0
        ? ""
        : "%s, seed %d: %d breaches%n%s".formatted(attack, seed, count, String.join("\n", lines));
  }
}
