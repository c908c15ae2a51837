package dev.sluice.server.rehearse;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.rules.ReviewContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** Starts a server and ends; run by the launcher to record the JVM's ahead-of-time cache. */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Starts a server once, for the start-up cache.")
public final class RehearseServerCommand implements Callable<Integer> {
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("sluice-rehearse");
    try {
      serve(folder); // makes a certificate
      serve(folder); // finds it
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static void serve(Path folder) {
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    try (WebhookServer server =
        WebhookServer.start(
            ServerOptions.builder().listeningOn(ANYWHERE, ANYWHERE).build(),
            certificates,
            ReviewContext.UNKNOWN)) {
      server.checkCertificate();
      server.awaitWarmUp(); // has the methods that reviews need compiled
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
