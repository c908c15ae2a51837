package dev.sluice.cli.testcluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The plain pages of a server of ours: its health, its metrics. */
public final class Pages {
  private static final Duration BOUND = Duration.ofSeconds(40);

  private Pages() {}

  /** Reads a page such as {@code /metrics} of a server on loopback, whatever its status. */
  public static String read(int port, String path) throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + port + path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(page).timeout(BOUND).build();
      return http.send(request, BodyHandlers.ofString()).body();
    }
  }
}
