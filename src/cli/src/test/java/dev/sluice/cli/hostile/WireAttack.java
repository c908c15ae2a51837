package dev.sluice.cli.hostile;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Writes texts that are hardly HTTP to the port of reviews, each on a connection of its own. What
 * is a whole request must be answered or hung up on; what is not may stay unanswered for a while.
 */
final class WireAttack implements Attack {
  private static final int ATTACKERS = 4;
  private static final int PATIENCE_MILLIS = 15_000;
  private static final int GLANCE_MILLIS = 50;
  private static final Set<Integer> FINE =
      Set.of(100, 200, 400, 404, 405, 408, 411, 413, 414, 415, 417, 429, 431, 501, 503, 505);

  private final String name;
  private final Function<RandomGenerator, Text> texts;

  /**
   * What is written.
   *
   * @param parts one after the other
   * @param isWhole whether that is all a server needs to answer
   */
  record Text(List<String> parts, boolean isWhole) {
    Text(String whole) {
      this(List.of(whole), true);
    }
  }

  WireAttack(String name, Function<RandomGenerator, Text> texts) {
    this.name = name;
    this.texts = texts;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    LongAdder sent = new LongAdder();
    LongAdder answered = new LongAdder();
    Attackers.run(
        ATTACKERS,
        attacker -> {
          RandomGenerator random = target.random(name, attacker);
          while (target.goesOn()) {
            sent.increment();
            answered.add(send(target, attacker, texts.apply(random), breaches) ? 1 : 0);
          }
        });
    return sent.sum() + " requests, " + answered.sum() + " answered";
  }

  private boolean send(Target target, int attacker, Text text, Breaches breaches) {
    try (Line line = Line.tls(target, Target.address(attacker))) {
      write(line, text);
      Line.End end = line.await(text.isWhole() ? PATIENCE_MILLIS : GLANCE_MILLIS);
      if (end == Line.End.ANSWERED && !FINE.contains(line.status())) {
        breaches.add(shown(text) + ": answered " + line.statusLine());
      } else if (end == Line.End.SILENT && text.isWhole()) {
        breaches.add(shown(text) + ": neither answer nor end within " + PATIENCE_MILLIS + " ms");
      }
      return end == Line.End.ANSWERED;
    } catch (IOException e) {
      breaches.add("no connection: " + e);
      return false;
    }
  }

  private static void write(Line line, Text text) {
    try {
      for (String part : text.parts()) {
        line.write(part);
      }
    } catch (IOException _) {
      // hung up on before all was said: the answer is what counts
    }
  }

  private static String shown(Text text) {
    return Answered.brief(
        String.join("", text.parts()).replace("\r\n", "\\r\\n").replaceAll("[^ -~]", "?"));
  }
}
