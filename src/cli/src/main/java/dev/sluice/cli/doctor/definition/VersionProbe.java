package dev.sluice.cli.doctor.definition;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.trust.TrustCheck.Reachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a kind can be read and written at each of its versions, and converted between any two.
 *
 * <p>Through the API server, also where no object is stored: some are created as a dry run, which
 * writes each at the storage version and reads it back. In a probe, one field has a manager that
 * wrote it at another version; to process that, the API server converts the probe to that version.
 * If it cannot, it does not fail, but drops the field managers. If the conversion webhook can be
 * reached from here, each pair is requested from it as well.
 */
public final class VersionProbe {
  private final Cluster cluster;
  private final Duration bound;

  /** A check of that cluster. */
  public VersionProbe(Cluster cluster, Duration bound) {
    this.cluster = cluster;
    this.bound = bound;
  }

  /** Looks at one kind whose definition is there. */
  public void check(ApiKind kind, JsonNode crd, Optional<Reachable> converter, Findings findings) {
    StoredKind stored = StoredKind.of(kind, crd);
    List<ApiVersion> served =
        kind.versions().stream()
            .filter(version -> stored.servedVersions().contains(version.text()))
            .toList();
    List<ApiVersion> fine = new ArrayList<>();
    for (ApiVersion version : served) {
      if (lists(stored, version, findings) && creates(stored, version, findings)) {
        fine.add(version);
      }
    }
    if (!fine.isEmpty()) {
      String versions = fine.stream().map(ApiVersion::text).collect(joining(", "));
      findings.ok(kind.plural(), "can be listed and created at " + versions);
    }
    throughApiServer(stored, fine, served, findings);
    converter.ifPresent(reachable -> pairs(kind, reachable, findings));
  }

  private void throughApiServer(
      StoredKind stored, List<ApiVersion> from, List<ApiVersion> to, Findings findings) {
    int converted = 0;
    for (ApiVersion source : from) {
      for (ApiVersion target : to) {
        if (source != target) {
          converted += isConverted(stored, source, target, findings) ? 1 : 0;
        }
      }
    }
    if (converted > 0) {
      findings.ok(stored.kind().plural(), converted + " version pairs pass through the API server");
    }
  }

  private boolean isConverted(
      StoredKind stored, ApiVersion from, ApiVersion to, Findings findings) {
    Answer answer = dryRun(stored, from, ProbeObjects.sharedWith(stored.kind(), from, to));
    if (!answer.isSuccess()) {
      return false; // another webhook or policy refused the probe, which is no finding
    }
    if (!answer.json().at("/metadata/managedFields").isEmpty()) {
      return true;
    }
    findings.error(
        stored.kind().plural(),
        "%s to %s cannot be converted by the API server, see its log".formatted(from, to),
        Remedies.START);
    return false;
  }

  private boolean lists(StoredKind stored, ApiVersion version, Findings findings) {
    Answer answer = cluster.get(stored.collection(version.text()) + "?limit=1");
    if (answer.isSuccess()) {
      return true;
    }
    String seen = "cannot be listed at %s: %s".formatted(version, answer.message());
    refused(stored.kind().plural(), answer, seen, findings);
    return false;
  }

  private boolean creates(StoredKind stored, ApiVersion version, Findings findings) {
    Answer answer = dryRun(stored, version, ProbeObjects.of(stored.kind(), version));
    boolean judged = answer.status() == 400 || answer.status() == 422 || answer.status() == 409;
    if (answer.isSuccess() || (judged && !isOurFault(answer))) {
      return true; // a refusal by another webhook or policy also follows the conversions
    }
    String seen = "cannot be created at %s: %s".formatted(version, answer.message());
    refused(stored.kind().plural(), answer, seen, findings);
    return false;
  }

  private Answer dryRun(StoredKind stored, ApiVersion version, ObjectNode object) {
    String collection = stored.collection(version.text());
    if (stored.namespaced()) {
      int slash = collection.lastIndexOf('/');
      collection =
          collection.substring(0, slash) + "/namespaces/default" + collection.substring(slash);
    }
    return cluster.post(collection + "?dryRun=All", object.toString());
  }

  private static boolean isOurFault(Answer answer) {
    return answer.message().contains("conversion webhook")
        || answer.message().contains("failed calling webhook");
  }

  private static void refused(String object, Answer answer, String seen, Findings findings) {
    if (answer.status() == 403) {
      findings.warning(object, seen, Remedies.RIGHTS);
    } else {
      findings.error(object, seen, remedy(answer.message()));
    }
  }

  /** The API server says in Go's words why it does not trust a certificate. */
  private static String remedy(String message) {
    if (message.contains("x509: certificate has expired or is not yet valid")) {
      return Remedies.CERTIFICATE;
    }
    return message.contains("x509: ") ? Remedies.CA_BUNDLE : Remedies.START;
  }

  private void pairs(ApiKind kind, Reachable converter, Findings findings) {
    ConversionCall call = new ConversionCall(converter.url(), converter.trust(), bound);
    int pairs = 0;
    int failed = 0;
    for (ApiVersion from : kind.versions()) {
      for (ApiVersion to : kind.versions()) {
        if (from != to) {
          pairs++;
          Optional<String> complaint = call.convert(kind, from, to);
          if (complaint.isPresent()) {
            failed++;
            findings.error(
                kind.plural(),
                "%s to %s cannot be converted by %s: %s"
                    .formatted(from, to, converter.url(), complaint.get()),
                Remedies.START);
          }
        }
      }
    }
    if (failed == 0) {
      findings.ok(kind.plural(), pairs + " version pairs converted by " + converter.url());
    }
  }
}
