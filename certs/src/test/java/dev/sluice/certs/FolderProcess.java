package dev.sluice.certs;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Another process on a folder: {@code open DIR} prints what it serves and ends, {@code hold DIR}
 * keeps the folder to itself, {@code rewrite DIR} replaces everything again and again; the last two
 * go on until their input ends, their time is up or they are killed.
 */
final class FolderProcess {
  static final List<String> NAMES = List.of("localhost");
  static final Lifetimes LIFETIMES = new Lifetimes(Duration.ofDays(1000), Duration.ofDays(90));

  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** For the others that start at the same time; how long they take is up to the machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private FolderProcess() {}

  static Process start(List<String> runtimeOptions, String deed, Path dir) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(runtimeOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FolderProcess.class.getName(), deed, dir.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  static CertificateFolder open(Path dir, InstantSource clock) {
    return CertificateFolder.open(dir, NAMES, LIFETIMES, clock, new SecureRandom(), PATIENCE);
  }

  static String describe(CertificateSource source) {
    return "serves " + source.current() + " of " + source.caBundlePem().hashCode();
  }

  public static void main(String[] args) throws IOException {
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
    var out = new PrintStream(System.out, true, UTF_8);
    var dir = Path.of(args[1]);
    switch (args[0]) {
      case "open" -> out.println(describe(open(dir, InstantSource.system())));
      case "hold" -> hold(dir, out);
      case "rewrite" -> rewrite(dir, out);
      default -> throw new IllegalArgumentException(args[0] + " (expected: open, hold, rewrite)");
    }
  }

  private static void hold(Path dir, PrintStream out) throws IOException {
    try (var _ = SecretFolder.open(dir).hold(Duration.ofSeconds(5))) {
      out.println("holding");
      out.println("input ended: " + System.in.read());
    }
  }

  /** Time flies, so that certificates and authorities are due at each step. */
  private static void rewrite(Path dir, PrintStream out) {
    var end = Instant.now().plus(LONGEST);
    var now = Instant.now();
    open(dir, InstantSource.fixed(now));
    out.println("rewriting");
    while (Instant.now().isBefore(end)) {
      now = now.plus(Duration.ofDays(61));
      open(dir, InstantSource.fixed(now));
    }
  }
}
