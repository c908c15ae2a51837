package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * All checks, in the order in which one depends on the other. Each call has a bound; a cluster that
 * does not answer ends the examination with one finding.
 */
final class Examination {
  private static final Duration SKEW_MATTERS = Duration.ofSeconds(30);
  private static final Duration SKEW_BREAKS = Duration.ofMinutes(5);

  private final ApiServer server;
  private final Cluster cluster;
  private final InstantSource clock;
  private final Duration bound;
  private final String clusterArguments;
  private final Configuration configuration;
  private final Optional<RoleSettings> chosen;
  private final List<Framework> frameworks;

  /**
   * An examination.
   *
   * @param configuration a given one, or the defaults
   * @param chosen the settings of both roles by the given one; empty if none was given
   */
  Examination(
      ApiServer server,
      InstantSource clock,
      Duration bound,
      String clusterArguments,
      Configuration configuration,
      Optional<RoleSettings> chosen) {
    this.server = server;
    this.configuration = configuration;
    this.chosen = chosen;
    this.frameworks = chosen.isPresent() ? configuration.jobs().frameworks() : List.of();
    this.cluster = new Cluster(server, bound);
    this.clock = clock;
    this.bound = bound;
    this.clusterArguments = clusterArguments;
  }

  /** Looks at everything. */
  Findings run() {
    Findings findings = new Findings();
    try {
      if (answers(findings)) {
        TrustCheck trust = new TrustCheck(clock, bound);
        kinds(trust, findings);
        new RegistrationCheck(cluster, trust).check(findings);
        new RightsCheck(cluster).check(findings);
        new JobKindCheck(cluster).check(frameworks, findings);
        new AgreementCheck(cluster).check(configuration, chosen, findings);
      }
    } catch (ClusterException e) {
      findings.error(
          "API server",
          String.valueOf(e.getMessage()),
          "check that it runs and that the kubeconfig names it: kubectl version");
    }
    return findings;
  }

  private boolean answers(Findings findings) {
    Answer answer = cluster.get("/version");
    String object = "API server " + server.base();
    if (answer.status() == 401) {
      findings.error(
          object, "does not accept the credentials: " + answer.message(), Remedies.RIGHTS);
      return false;
    }
    if (answer.status() / 100 == 5) {
      findings.error(object, "is unhealthy: " + answer.message(), "kubectl get --raw /readyz");
      return false;
    }
    findings.ok(object, "answers, " + answer.json().path("gitVersion").asText("version unknown"));
    answer.date().ifPresent(date -> clock(Duration.between(date, clock.instant()), findings));
    return true;
  }

  /** The header has whole seconds, and the call took a moment. */
  private static void clock(Duration ahead, Findings findings) {
    Duration apart = ahead.abs();
    String seen =
        "is %d s %s that of the API server"
            .formatted(apart.toSeconds(), ahead.isNegative() ? "behind" : "ahead of");
    String remedy = "set the clocks by NTP: certificates and tokens depend on them";
    if (apart.compareTo(SKEW_BREAKS) > 0) {
      findings.error("clock", seen, remedy);
    } else if (apart.compareTo(SKEW_MATTERS) > 0) {
      findings.warning("clock", seen, remedy);
    } else {
      findings.ok("clock", seen);
    }
  }

  private void kinds(TrustCheck trust, Findings findings) {
    CrdCheck crds = new CrdCheck(cluster, trust, clusterArguments);
    VersionProbe probe = new VersionProbe(cluster, bound);
    for (ApiKind kind : ApiKind.values()) {
      Optional<JsonNode> crd = crds.check(kind, findings);
      if (crd.isPresent()) {
        probe.check(kind, crd.get(), converter(crd.get()), findings);
      }
    }
  }

  /** The converter, where it can be reached from here; what is wrong with it was said before. */
  private Optional<TrustCheck.Reachable> converter(JsonNode crd) {
    JsonNode config = crd.at("/spec/conversion/webhook/clientConfig");
    if (config.path("url").isMissingNode()) {
      return Optional.empty();
    }
    URI url = URI.create(config.path("url").asText());
    return new TrustCheck(clock, bound).check("converter " + url, config, new Findings());
  }
}
