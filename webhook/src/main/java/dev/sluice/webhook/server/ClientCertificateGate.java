package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Endpoint;
import io.vertx.core.http.HttpConnection;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests of callers without a valid client certificate. A connection is checked with its
 * first request, and again after its certificate has expired or the authorities have changed.
 */
final class ClientCertificateGate {
  private static final String CONVERT = "/convert";

  private final @Nullable ClientAuthorities authorities;
  private final InstantSource clock;
  private final Map<HttpConnection, Verdict> verdicts = new ConcurrentHashMap<>();

  private record Verdict(Object generation, Instant until, Optional<Answer> answer) {}

  /** A gate that allows everyone if there are no authorities. */
  ClientCertificateGate(@Nullable ClientAuthorities authorities, InstantSource clock) {
    this.authorities = authorities;
    this.clock = clock;
  }

  /** Forgets a connection that was closed. */
  void forget(HttpConnection connection) {
    verdicts.remove(connection);
  }

  /** The answer to a rejected caller. */
  @SuppressWarnings("ReferenceEquality") // a generation is nothing but itself
  Optional<Answer> objection(HttpConnection connection, Endpoint endpoint) {
    ClientAuthorities held = authorities;
    if (held == null || (endpoint.path().equals(CONVERT) && !held.checksConversions())) {
      return Optional.empty();
    }
    Verdict known = verdicts.get(connection);
    if (known == null
        || known.generation() != held.generation()
        || !clock.instant().isBefore(known.until())) {
      known = look(held, chain(connection.sslSession()));
      verdicts.put(connection, known);
    }
    return known.answer();
  }

  private static Verdict look(ClientAuthorities authorities, List<X509Certificate> chain) {
    Object generation = authorities.generation();
    if (chain.isEmpty()) {
      return new Verdict(
          generation,
          Instant.MAX,
          Optional.of(Answer.sentence(401, "no client certificate (expected: one)")));
    }
    return new Verdict(
        generation,
        chain.getFirst().getNotAfter().toInstant(),
        authorities.objection(chain).map(why -> Answer.sentence(403, why)));
  }

  private static List<X509Certificate> chain(@Nullable SSLSession session) {
    List<X509Certificate> chain = new ArrayList<>();
    if (session != null) {
      try {
        for (Certificate certificate : session.getPeerCertificates()) {
          chain.add((X509Certificate) certificate);
        }
      } catch (SSLPeerUnverifiedException _) {
        return List.of(); // it showed none
      }
    }
    return chain;
  }
}
