package dev.sluice.cli.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Sends the bodies of one generator, over HTTP/2 and HTTP/1.1, a few at a time. */
final class BodyAttack implements Attack {
  private static final int ATTACKERS = 4;
  private static final int MOST = (40 << 20) - 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final BodyGenerator generator;

  BodyAttack(BodyGenerator generator) {
    this.generator = generator;
  }

  @Override
  public String name() {
    return generator.name();
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    AtomicLong next = new AtomicLong();
    LongAdder reviews = new LongAdder();
    Attackers.run(ATTACKERS, attacker -> attack(attacker, target, next, reviews, breaches));
    return "%d bodies, %d reviews".formatted(next.get(), reviews.sum());
  }

  private void attack(
      int attacker, Target target, AtomicLong next, LongAdder reviews, Breaches breaches)
      throws InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .sslContext(target.trust())
            .version(attacker % 2 == 0 ? Version.HTTP_2 : Version.HTTP_1_1)
            .localAddress(Target.address(attacker))
            .connectTimeout(PATIENCE)
            .build()) {
      while (target.goesOn()) {
        Body body = generator.body(target.seed(), next.getAndIncrement(), MOST);
        send(client, target, body, reviews, breaches);
      }
      client.shutdownNow();
    }
  }

  private static void send(
      HttpClient client, Target target, Body body, LongAdder reviews, Breaches breaches)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + target.https() + body.path() + "?timeout=30s"))
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(body.bytes()))
            .build();
    try {
      HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
      try (InputStream text = answer.body()) {
        if (Answered.isReview(answer.statusCode())) {
          reviews.increment();
        }
        Answered.breach(body, answer.statusCode(), text)
            .ifPresent(breach -> breaches.add(body, breach));
      }
    } catch (IOException e) {
      breaches.add(body, "no answer: " + e);
    }
  }
}
