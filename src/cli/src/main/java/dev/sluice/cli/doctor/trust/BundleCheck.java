package dev.sluice.cli.doctor.trust;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether all CA bundles have the same certificates. One that lacks some will refuse a server that
 * others trust.
 */
public final class BundleCheck implements Check {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private static final int NAMED = 3;
  private static final String NOT_EVERYWHERE =
      "a new authority takes some seconds to be everywhere, and one of somebody else does no harm;"
          + " if ours is missing for longer, "
          + Remedies.CA_BUNDLE;

  private final Cluster cluster;
  private final InstantSource clock;

  /** A check of that cluster. */
  public BundleCheck(Cluster cluster, InstantSource clock) {
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

  /** One finding for each certificate that some lack, however many these are. */
  private static void compare(Map<String, Set<X509Certificate>> bundles, Findings findings) {
    Set<X509Certificate> all = new LinkedHashSet<>();
    bundles.values().forEach(all::addAll);
    boolean same = true;
    for (X509Certificate certificate : all) {
      List<String> lacking =
          bundles.entrySet().stream()
              .filter(it -> !it.getValue().contains(certificate))
              .map(Map.Entry::getKey)
              .toList();
      if (!lacking.isEmpty()) {
        same = false;
        findings.warning(
            "caBundles", where(certificate, bundles.keySet(), lacking), NOT_EVERYWHERE);
      }
    }
    if (same && !bundles.isEmpty()) {
      findings.ok(
          "caBundles",
          "all %d have the same %d certificates".formatted(bundles.size(), all.size()));
    }
  }

  /** Names those that lack it or those that have it, whichever are fewer. */
  private static String where(
      X509Certificate certificate, Set<String> bundles, List<String> lacking) {
    List<String> having = bundles.stream().filter(it -> !lacking.contains(it)).toList();
    boolean isRare = having.size() < lacking.size();
    return "certificate %s, until %s, is in %d of %d; %s: %s"
        .formatted(
            certificate.getSerialNumber().toString(16),
            certificate.getNotAfter().toInstant(),
            having.size(),
            bundles.size(),
            isRare ? "only in" : "not in",
            named(isRare ? having : lacking));
  }

  private static String named(List<String> objects) {
    String first = String.join(", ", objects.subList(0, Math.min(NAMED, objects.size())));
    return objects.size() > NAMED
        ? first + " and %d more".formatted(objects.size() - NAMED)
        : first;
  }
}
