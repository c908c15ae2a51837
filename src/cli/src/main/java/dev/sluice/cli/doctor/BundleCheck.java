package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether all CA bundles have the same certificates. One that lacks some will refuse a server that
 * others trust.
 */
final class BundleCheck implements Check {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private final Cluster cluster;
  private final InstantSource clock;

  BundleCheck(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  @Override
  public void check(Findings findings) {
    Map<String, Set<X509Certificate>> bundles = new LinkedHashMap<>();
    for (ApiKind kind : ApiKind.values()) {
      Answer answer = cluster.get(StoredKind.definition(kind));
      add(
          bundles,
          "crd/" + kind.crdName(),
          answer.json().at("/spec/conversion/webhook/clientConfig"));
    }
    for (String name :
        List.of(
            "mutatingwebhookconfigurations/sluice-mutating",
            "validatingwebhookconfigurations/sluice-validating")) {
      for (JsonNode webhook : cluster.get(REGISTRATION + name).json().path("webhooks")) {
        add(bundles, name + " " + webhook.path("name").asText(), webhook.path("clientConfig"));
      }
    }
    compare(bundles, findings);
  }

  /** What is empty or cannot be read is named by another check. */
  private void add(Map<String, Set<X509Certificate>> bundles, String object, JsonNode config) {
    try {
      Set<X509Certificate> certificates =
          new HashSet<>(
              Handshake.certificates(
                  Base64.getDecoder().decode(config.path("caBundle").asText(""))));
      certificates.removeIf(it -> it.getNotAfter().toInstant().isBefore(clock.instant()));
      if (!certificates.isEmpty()) {
        bundles.put(object, certificates);
      }
    } catch (IllegalArgumentException | CertificateException _) {
      // as above
    }
  }

  private static void compare(Map<String, Set<X509Certificate>> bundles, Findings findings) {
    Set<X509Certificate> all = new HashSet<>();
    bundles.values().forEach(all::addAll);
    boolean same = true;
    for (Map.Entry<String, Set<X509Certificate>> bundle : bundles.entrySet()) {
      int lacking = all.size() - bundle.getValue().size();
      if (lacking > 0) {
        same = false;
        findings.warning(
            bundle.getKey(),
            "its caBundle lacks %d of %d certificates that others have"
                .formatted(lacking, all.size()),
            "a new authority takes some seconds to be everywhere; if this stays, "
                + Remedies.CA_BUNDLE);
      }
    }
    if (same && !bundles.isEmpty()) {
      findings.ok(
          "caBundles",
          "all %d have the same %d certificates".formatted(bundles.size(), all.size()));
    }
  }
}
