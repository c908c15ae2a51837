package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URLDecoder;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Believes the headers in which an API server says who asks, but only on a connection whose client
 * certificate proves that it is that API server. What is believed is what the ConfigMap {@code
 * kube-system/extension-apiserver-authentication} says. Immutable.
 */
final class FrontProxy {
  private static final String AUTHORITIES = "requestheader-client-ca-file";
  private static final JsonMapper MAPPER = new JsonMapper();

  private final TrustedClients proxies;
  private final List<String> allowedNames;
  private final List<String> userHeaders;
  private final List<String> uidHeaders;
  private final List<String> groupHeaders;
  private final List<String> extraPrefixes;

  private FrontProxy(TrustedClients proxies, JsonNode data) {
    this.proxies = proxies;
    this.allowedNames = list(data, "requestheader-allowed-names");
    this.userHeaders = list(data, "requestheader-username-headers");
    this.uidHeaders = list(data, "requestheader-uid-headers");
    this.groupHeaders = list(data, "requestheader-group-headers");
    this.extraPrefixes = list(data, "requestheader-extra-headers-prefix");
  }

  /**
   * What the ConfigMap says; empty where the API server has no front proxy.
   *
   * @throws IllegalArgumentException naming the member, if it cannot be read
   */
  static Optional<FrontProxy> of(JsonNode configMap) {
    JsonNode data = configMap.path("data");
    String authorities = data.path(AUTHORITIES).asText("");
    return authorities.isEmpty()
        ? Optional.empty()
        : Optional.of(new FrontProxy(TrustedClients.of(AUTHORITIES, authorities), data));
  }

  private static List<String> list(JsonNode data, String member) {
    String text = data.path(member).asText("");
    try {
      JsonNode array = MAPPER.readTree(text.isEmpty() ? "[]" : text);
      return array.valueStream().map(JsonNode::asText).toList();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s: %s (expected: a JSON list of strings)".formatted(member, text), e);
    }
  }

  /**
   * Who asks; empty where the headers are not to be believed or name nobody.
   *
   * @param chain the client certificate with those that signed it; empty for none
   * @param headers of the request, each name in lower case
   */
  Optional<Caller> caller(List<X509Certificate> chain, Map<String, List<String>> headers) {
    return isFrontProxy(chain) ? named(headers) : Optional.empty();
  }

  private boolean isFrontProxy(List<X509Certificate> chain) {
    return proxies.includes(chain)
        && (allowedNames.isEmpty()
            || allowedNames.contains(TrustedClients.commonName(chain.getFirst())));
  }

  private Optional<Caller> named(Map<String, List<String>> headers) {
    String user = first(userHeaders, headers);
    if (user.isEmpty()) {
      return Optional.empty();
    }
    List<String> groups = new ArrayList<>();
    groupHeaders.forEach(name -> groups.addAll(values(name, headers)));
    return Optional.of(Caller.of(user, first(uidHeaders, headers), groups, extra(headers)));
  }

  private Map<String, List<String>> extra(Map<String, List<String>> headers) {
    Map<String, List<String>> extra = new HashMap<>();
    for (String prefix : extraPrefixes) {
      String lower = prefix.toLowerCase(Locale.ROOT);
      headers.forEach(
          (name, values) -> {
            if (name.startsWith(lower) && name.length() > lower.length()) {
              extra.put(decoded(name.substring(lower.length())), List.copyOf(values));
            }
          });
    }
    return extra;
  }

  /** The name that was encoded for a header; as it came if it is no such name. */
  private static String decoded(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException _) {
      return key;
    }
  }

  private static String first(List<String> names, Map<String, List<String>> headers) {
    for (String name : names) {
      for (String value : values(name, headers)) {
        if (!value.isEmpty()) {
          return value;
        }
      }
    }
    return "";
  }

  private static List<String> values(String name, Map<String, List<String>> headers) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }
}
