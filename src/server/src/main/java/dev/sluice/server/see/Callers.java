package dev.sluice.server.see;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds out who asks: whom a front proxy speaks for, else the owner of a client certificate, else
 * the owner of a bearer token. Safe for many threads; a call may block while the API server is
 * asked about a token.
 */
final class Callers {
  private static final String BEARER = "bearer ";

  private final Supplier<Optional<Authentication>> trusted;
  private final TokenReviews tokens;

  /**
   * Trusts these.
   *
   * @param trusted whose certificates are believed; empty while that is not known
   */
  Callers(Supplier<Optional<Authentication>> trusted, TokenReviews tokens) {
    this.trusted = trusted;
    this.tokens = tokens;
  }

  /**
   * Who asks.
   *
   * @param chain the client certificate with those that signed it; empty for none
   * @param headers of the request, each name in lower case
   */
  TokenReviews.Verdict of(List<X509Certificate> chain, Map<String, List<String>> headers) {
    return byCertificate(chain, headers)
        .<TokenReviews.Verdict>map(TokenReviews.Verdict.Known::new)
        .orElseGet(() -> byToken(headers));
  }

  private Optional<Caller> byCertificate(
      List<X509Certificate> chain, Map<String, List<String>> headers) {
    Optional<Authentication> now = trusted.get();
    return now.flatMap(Authentication::frontProxy)
        .flatMap(it -> it.caller(chain, headers))
        .or(() -> now.flatMap(Authentication::clients).flatMap(it -> it.caller(chain)));
  }

  private TokenReviews.Verdict byToken(Map<String, List<String>> headers) {
    List<String> credentials = headers.getOrDefault("authorization", List.of());
    if (credentials.size() != 1
        || !credentials.getFirst().toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      return new TokenReviews.Verdict.Nobody();
    }
    String token = credentials.getFirst().substring(BEARER.length()).strip();
    return token.isEmpty() ? new TokenReviews.Verdict.Nobody() : tokens.review(token);
  }
}
