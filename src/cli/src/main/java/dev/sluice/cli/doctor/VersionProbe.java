package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.TrustCheck.Reachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a kind can be read and written at each of its versions. Through the API server: objects
 * that are there are listed, which converts them from the storage version, and one is created as a
 * dry run, which converts it to the version of the validating webhooks. Where the converter can be
 * reached from here, each pair is asked for as well.
 */
final class VersionProbe {
  private final Cluster cluster;
  private final Duration bound;

  VersionProbe(Cluster cluster, Duration bound) {
    this.cluster = cluster;
    this.bound = bound;
  }

  /** Looks at one kind whose definition is there. */
  void check(ApiKind kind, JsonNode crd, Optional<Reachable> converter, Findings findings) {
    StoredKind stored = StoredKind.of(kind, crd);
    List<String> fine = new ArrayList<>();
    for (ApiVersion version : kind.versions()) {
      if (stored.servedVersions().contains(version.text())
          && lists(stored, version, findings)
          && creates(stored, version, findings)) {
        fine.add(version.text());
      }
    }
    if (!fine.isEmpty()) {
      findings.ok(kind.plural(), "can be listed and created at " + String.join(", ", fine));
    }
    converter.ifPresent(reachable -> pairs(kind, reachable, findings));
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
    String collection = stored.collection(version.text());
    if (stored.namespaced()) {
      int slash = collection.lastIndexOf('/');
      collection =
          collection.substring(0, slash) + "/namespaces/default" + collection.substring(slash);
    }
    String body = ProbeObjects.of(stored.kind(), version).toString();
    Answer answer = cluster.post(collection + "?dryRun=All", body);
    boolean judged = answer.status() == 400 || answer.status() == 422 || answer.status() == 409;
    if (answer.isSuccess() || (judged && !isOurFault(answer))) {
      return true; // also somebody's rule against the probe came after the conversions
    }
    String seen = "cannot be created at %s: %s".formatted(version, answer.message());
    refused(stored.kind().plural(), answer, seen, findings);
    return false;
  }

  private static boolean isOurFault(Answer answer) {
    return answer.message().contains("conversion webhook")
        || answer.message().contains("failed calling webhook");
  }

  private static void refused(String object, Answer answer, String seen, Findings findings) {
    if (answer.status() == 403) {
      findings.warning(object, seen, Remedies.RIGHTS);
    } else {
      findings.error(object, seen, Remedies.START);
    }
  }

  private void pairs(ApiKind kind, Reachable converter, Findings findings) {
    ConversionCall call =
        new ConversionCall(converter.url(), converter.handshake().context(), bound);
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
