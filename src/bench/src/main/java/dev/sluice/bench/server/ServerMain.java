package dev.sluice.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process with one server in it. It says on stdout where it listens, and ends when its stdin
 * does: so it never outlives the process that started it, however that ends.
 */
public final class ServerMain {
  static final String READY = "READY ";

  private ServerMain() {}

  /** Takes the yardstick's name and the folder for the certificates. */
  public static void main(String[] args) throws IOException {
    Path data = Path.of(args[1]);
    try (BenchServer server = BenchServer.start(Yardstick.named(args[0]), data)) {
      Files.writeString(data.resolve("trust.pem"), server.target().caBundlePem());
      System.out.println(READY + server.target().port());
      waitForEndOfInput();
    }
    System.exit(0);
  }

  private static void waitForEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // nothing is ever said; only the end counts
    }
  }
}
