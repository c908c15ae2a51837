package dev.sluice.cli.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;

/**
 * Targets the number of connections: slightly more silent connections than the server accepts, half
 * handshakes, slow requests, answers that are not read, and resets at any point. Meanwhile an
 * honest client must be able to connect.
 */
final class ConnectionsAttack implements Attack {
  private static final int ATTACKERS = 6;
  private static final int IDLE = 1100;
  private static final int HALF_HANDSHAKES = 200;
  private static final int DRIBBLERS = 60;
  private static final int UNREAD = 10;
  private static final byte[] HALF_HELLO = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};
  private static final String HEAD =
      "POST /convert HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    Queue<Line> open = new ConcurrentLinkedQueue<>();
    try {
      Attackers.run(
          ATTACKERS,
          attacker -> {
            fill(target, attacker, open);
            dribbleAndReset(target, attacker, open);
          });
      return open.size() + " connections kept open";
    } finally {
      for (Line line : open) {
        line.close();
      }
    }
  }

  /** Opens this attacker's part of the connections; one that is refused is no breach. */
  private static void fill(Target target, int attacker, Queue<Line> open) {
    for (int i = 0; i < IDLE / ATTACKERS; i++) {
      keep(open, () -> Line.tls(target, Target.address(open.size())));
    }
    for (int i = 0; i < HALF_HANDSHAKES / ATTACKERS; i++) {
      keep(open, () -> Line.plain(Target.address(attacker), target.https()).write(HALF_HELLO));
    }
    for (int i = 0; i < UNREAD / ATTACKERS + 1; i++) {
      String review = largeReview();
      keep(
          open,
          () ->
              Line.tls(target, Target.address(attacker))
                  .write(HEAD + "content-length: " + review.length() + "\r\n\r\n" + review));
    }
  }

  private interface Opening {
    Line open() throws IOException;
  }

  private static void keep(Queue<Line> open, Opening opening) {
    try {
      open.add(opening.open());
    } catch (IOException _) {
      // at its bound a server refuses
    }
  }

  private static String largeReview() {
    String topology =
        """
        {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Topology","metadata":{"name":"t"},"spec":{\
        "levels":[{"nodeLabel":"kubernetes.io/hostname"}]}}\
        """;
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"l",\
    "desiredAPIVersion":"kueue.x-k8s.io/v1beta2","objects":[%s]}}\
    """
        .formatted(String.join(",", Expansion.repeated(topology, 4000)));
  }

  private static void dribbleAndReset(Target target, int attacker, Queue<Line> open) {
    RandomGenerator random = target.random("connections", attacker);
    List<Line> dribblers = new ArrayList<>();
    for (int i = 0; i < DRIBBLERS / ATTACKERS; i++) {
      keep(open, () -> keptBy(dribblers, Line.tls(target, Target.address(attacker)).write(HEAD)));
    }
    while (target.goesOn()) {
      reset(target, attacker, random);
      for (Line dribbler : List.copyOf(dribblers)) {
        dribble(dribbler, dribblers);
      }
    }
  }

  private static Line keptBy(List<Line> lines, Line line) {
    lines.add(line);
    return line;
  }

  private static void dribble(Line dribbler, List<Line> dribblers) {
    try {
      dribbler.write("x");
    } catch (IOException _) {
      dribblers.remove(dribbler);
    }
  }

  private static void reset(Target target, int attacker, RandomGenerator random) {
    try {
      if (random.nextBoolean()) {
        Line.plain(Target.address(attacker), target.https()).write(HALF_HELLO).abort();
      } else {
        String body = "{" + " ".repeat(random.nextInt(20_000));
        Line.tls(target, Target.address(attacker))
            .write(HEAD + "content-length: 100000\r\n\r\n" + body)
            .abort();
      }
    } catch (IOException _) {
      // at its bound a server refuses
    }
  }
}
