package dev.sluice.cli.hostile;

import dev.sluice.cli.hostile.WireAttack.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Requests for {@link WireAttack}. */
final class HttpTexts {
  private static final String END = "\r\n";
  private static final List<String> METHODS =
      List.of(
          "GET",
          "HEAD",
          "PUT",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "CONNECT",
          "PATCH",
          "POST",
          "PRI",
          "post",
          "BREW",
          "A".repeat(300),
          "");
  private static final List<String> PATHS =
      List.of(
          "/",
          "*",
          "",
          "/convert",
          "/convert/",
          "//convert",
          "/CONVERT",
          "/%63onvert",
          "/convert%00",
          "/../convert",
          "/./convert",
          "/convert?timeout=",
          "/convert?timeout=-1s",
          "/convert?timeout=99999999999999999999s",
          "/convert?timeout=%zz",
          "/convert?" + "a=b&".repeat(800),
          "/convert#x",
          "http://127.0.0.1/convert",
          "/validate-kueue-x-k8s-io-v1beta2-workload/x",
          "/healthz",
          "/metrics",
          "/debug/audit",
          "/\u001b[31m",
          "/\u00ff\u00fe",
          "/a b",
          "/" + "p".repeat(3000),
          "/" + "p".repeat(6000));
  private static final List<String> HEADERS =
      List.of(
          "content-length: 2",
          "content-length: 2, 2",
          "content-length: -1",
          "content-length: 99999999999999999999",
          "content-length: 0x2",
          "transfer-encoding: chunked",
          "transfer-encoding: chunked, chunked",
          "transfer-encoding: identity",
          "transfer-encoding: xchunked",
          "transfer-encoding:\u000bchunked",
          "content-encoding: gzip",
          "content-type: text/plain",
          "content-type: application/json;charset=utf-16",
          "expect: 100-continue",
          "expect: a miracle",
          "upgrade: h2c",
          "connection: upgrade, HTTP2-Settings",
          "http2-settings: AAMAAABkAAQAAP__",
          "traceparent: 00-" + "f".repeat(32) + "-" + "f".repeat(16) + "-01",
          "traceparent: \u001b[2K" + Envelopes.FORGED,
          "traceparent: " + "-".repeat(4000),
          "host: a",
          "host: a\u0000b",
          "x: " + "y".repeat(15_000),
          "x: " + "y".repeat(20_000),
          " folded: x",
          "no colon",
          ": no name",
          "a\u0000: b");

  private HttpTexts() {}

  /** Aims at the reading of headers: many, long, double, contradicting, strange, dribbled. */
  static Text headers(RandomGenerator random) {
    StringBuilder text = new StringBuilder("POST /convert HTTP/1.1\r\nhost: localhost\r\n");
    if (random.nextInt(4) > 0) {
      text.append("content-type: application/json\r\n");
    }
    boolean many = random.nextInt(6) == 0;
    for (int i = many ? 1 + random.nextInt(3000) : random.nextInt(4); i >= 0; i--) {
      text.append(many ? "x" + i + ": y" : Review.pick(random, HEADERS)).append(END);
    }
    text.append(END);
    String all = text + (random.nextBoolean() ? "{}" : "2\r\n{}\r\n0\r\n\r\n");
    if (random.nextInt(3) > 0) {
      return new Text(List.of(all), false); // what it declares may be more than what it sends
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < all.length() && parts.size() < 200; i += 1 + random.nextInt(40)) {
      parts.add(all.substring(i, Math.min(all.length(), i + 1)));
    }
    return new Text(parts, false);
  }

  /** Targets routing: methods, paths and versions that are not served. */
  static Text paths(RandomGenerator random) {
    String version = random.nextInt(5) == 0 ? "HTTP/1.0" : "HTTP/1.1";
    if (random.nextInt(12) == 0) {
      version = Review.pick(random, List.of("HTTP/2.0", "HTTP/0.9", "HTTP/9.9", "HTTQ/1.1", ""));
    }
    return new Text(
        "%s %s %s\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"
            .formatted(Review.pick(random, METHODS), Review.pick(random, PATHS), version));
  }
}
