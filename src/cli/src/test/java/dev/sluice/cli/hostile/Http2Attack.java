package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * Aims at HTTP/2: frames of rubbish, streams opened and reset at once, headers that never end or
 * name what was never sent, floods of settings and pings, windows of nothing.
 */
final class Http2Attack implements Attack {
  private static final int ATTACKERS = 3;
  private static final int FRAMES = 400;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** {@code POST https /convert}, from the static table and as literals. */
  private static final byte[] REQUEST =
      join(
          new byte[] {(byte) 0x83, (byte) 0x87, 0x44, 8},
          "/convert".getBytes(ISO_8859_1),
          new byte[] {0x41, 1, 'a'},
          new byte[] {0x5f, 16},
          "application/json".getBytes(ISO_8859_1));

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  @Override
  public String name() {
    return "http2";
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    LongAdder connections = new LongAdder();
    Attackers.run(
        ATTACKERS,
        attacker -> {
          RandomGenerator random = target.random(name(), attacker);
          while (target.goesOn()) {
            connections.increment();
            attack(target, attacker, random, breaches);
          }
        });
    return connections.sum() + " connections";
  }

  private static void attack(
      Target target, int attacker, RandomGenerator random, Breaches breaches) {
    try (Line line = Line.tls(target, Target.address(attacker), "h2")) {
      try {
        line.write(PREFACE).write(frame(SETTINGS, 0, 0, new byte[0]));
        int shape = random.nextInt(8);
        for (int i = 0; i < FRAMES && target.goesOn(); i++) {
          line.write(frames(shape, 2 * i + 1, random));
        }
        line.await(20);
      } catch (IOException _) {
        // hung up on, as it should be
      }
    } catch (IOException e) {
      breaches.add("no connection: " + e);
    }
  }

  private static byte[] frames(int shape, int stream, RandomGenerator random) throws IOException {
    return switch (shape) {
      case 0 ->
          join(
              frame(HEADERS, END_HEADERS, stream, REQUEST),
              frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8}));
      case 1 -> frame(HEADERS, END_HEADERS, stream, REQUEST);
      case 2 ->
          stream == 1
              ? frame(HEADERS, 0, 1, REQUEST)
              : frame(CONTINUATION, 0, 1, bytes(random, 200));
      case 3 -> frame(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1});
      case 4 -> frame(PING, 0, 0, bytes(random, 8));
      case 5 ->
          join(
              frame(HEADERS, END_HEADERS, stream, REQUEST),
              frame(DATA, END_STREAM, stream, bytes(random, 1000)));
      case 6 -> // an entry of a table, and it again and again
          frame(HEADERS, END_HEADERS | END_STREAM, stream, bomb(stream == 1));
      default ->
          frame(
              random.nextInt(16),
              random.nextInt(256),
              random.nextInt(3) == 0 ? 0 : random.nextInt(),
              bytes(random, random.nextInt(3000)));
    };
  }

  private static byte[] bomb(boolean isFirst) {
    if (isFirst) {
      byte[] value = "z".repeat(3000).getBytes(ISO_8859_1);
      return join(REQUEST, new byte[] {0x40, 1, 'x', 0x7f, (byte) 0xb9, 0x16}, value);
    }
    byte[] references = new byte[4000];
    java.util.Arrays.fill(references, (byte) 0xbe);
    return join(REQUEST, references);
  }

  private static byte[] bytes(RandomGenerator random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) throws IOException {
    var out = new ByteArrayOutputStream();
    int length = payload.length;
    out.write(
        new byte[] {
          (byte) (length >> 16),
          (byte) (length >> 8),
          (byte) length,
          (byte) type,
          (byte) flags,
          (byte) (stream >> 24),
          (byte) (stream >> 16),
          (byte) (stream >> 8),
          (byte) stream
        });
    out.write(payload);
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    List.of(parts).forEach(out::writeBytes);
    return out.toByteArray();
  }
}
