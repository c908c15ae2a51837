package dev.sluice.cli.doctor.trust;

import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.certs.CertificateStatus;
import dev.sluice.certs.CertificateStatus.Authority;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.server.ServerPlace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * How far the authority has come that the replicas share. Reads an annotation of its Secret, and no
 * key.
 */
public final class AuthorityCheck implements Check {
  /** Longer than a bundle takes to be written and loaded everywhere. */
  private static final Duration STUCK = Duration.ofMinutes(15);

  private final Cluster cluster;
  private final ServerPlace place;
  private final InstantSource clock;

  /** A check of that cluster. */
  public AuthorityCheck(Cluster cluster, ServerPlace place, InstantSource clock) {
    this.cluster = cluster;
    this.place = place;
    this.clock = clock;
  }

  @Override
  public void check(Findings findings) {
    place.option("--shared-certificates").ifPresent(secret -> check(secret, findings));
  }

  private void check(String name, Findings findings) {
    String object = "secret %s/%s".formatted(place.namespace(), name);
    Answer answer =
        cluster.metadata("/api/v1/namespaces/%s/secrets/%s".formatted(place.namespace(), name));
    if (answer.status() == 404) {
      findings.warning(
          object, "is missing; a replica that runs writes it again", Remedies.CERTIFICATE);
      return;
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return;
    }
    List<Authority> authorities =
        CertificateStatus.parse(
            answer.json().at("/metadata/annotations").path(Annotations.AUTHORITIES).asText());
    if (authorities.isEmpty()) {
      findings.ok(object, "says nothing of its authorities; it does after the next change");
      return;
    }
    authorities.forEach(it -> stage(object, it, findings));
  }

  private void stage(String object, Authority authority, Findings findings) {
    Instant now = clock.instant();
    String seen =
        "an authority is %s since %s, until %s"
            .formatted(authority.stage(), authority.since(), authority.until());
    switch (authority.stage()) {
      case INTRODUCED -> {
        if (authority.since().plus(STUCK).isBefore(now)) {
          findings.warning(
              object,
              seen + ": a CRD or a webhook configuration does not get it",
              "see the log of the servers, and their rights: kubectl -n "
                  + place.namespace()
                  + " logs -l app.kubernetes.io/name=sluice-webhook -c webhook");
        } else {
          findings.ok(object, seen + "; it signs once it is published everywhere");
        }
      }
      case SIGNING -> {
        if (authority.until().isBefore(now)) {
          findings.error(object, seen + ": it is over", Remedies.CERTIFICATE);
        } else {
          findings.ok(object, seen);
        }
      }
      case RETIRED, WITHDRAWN -> findings.ok(object, seen);
    }
  }
}
