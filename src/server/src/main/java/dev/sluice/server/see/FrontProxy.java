package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.certs.ClientCertificate;
import java.io.IOException;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Believes the headers in which an API server says who asks, but only on a connection whose client
 * certificate proves that it is that API server. What is believed is what the ConfigMap {@code
 * kube-system/extension-apiserver-authentication} says. Immutable.
 */
final class FrontProxy {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final X509TrustManager trust;
  private final List<String> allowedNames;
  private final List<String> userHeaders;
  private final List<String> uidHeaders;
  private final List<String> groupHeaders;
  private final List<String> extraPrefixes;

  private FrontProxy(X509TrustManager trust, JsonNode data) {
    this.trust = trust;
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
    String authorities = data.path("requestheader-client-ca-file").asText("");
    return authorities.isEmpty()
        ? Optional.empty()
        : Optional.of(new FrontProxy(trust(ClientCertificate.certificates(authorities)), data));
  }

  private static X509TrustManager trust(List<X509Certificate> authorities) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (X509Certificate authority : authorities) {
        store.setCertificateEntry("authority-" + store.size(), authority);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager x509) {
          return x509;
        }
      }
      throw new IllegalStateException("every JDK has a PKIX trust manager");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "requestheader-client-ca-file (expected: certificates): " + e.getMessage(), e);
    }
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
    if (chain.isEmpty()) {
      return false;
    }
    try {
      trust.checkClientTrusted(
          chain.toArray(X509Certificate[]::new), chain.getFirst().getPublicKey().getAlgorithm());
    } catch (CertificateException _) {
      return false; // of another authority, expired, or not for clients
    }
    return allowedNames.isEmpty() || allowedNames.contains(commonName(chain.getFirst()));
  }

  private static String commonName(X509Certificate certificate) {
    try {
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return String.valueOf(part.getValue());
        }
      }
      return "";
    } catch (InvalidNameException _) {
      return "";
    }
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
              String key = URLDecoder.decode(name.substring(lower.length()), UTF_8);
              extra.put(key, List.copyOf(values));
            }
          });
    }
    return extra;
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
