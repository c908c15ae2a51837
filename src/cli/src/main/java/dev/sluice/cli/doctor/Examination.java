package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.definition.ApiServiceCheck;
import dev.sluice.cli.doctor.definition.CrdCheck;
import dev.sluice.cli.doctor.definition.VersionProbe;
import dev.sluice.cli.doctor.multikueue.MultiKueueCheck;
import dev.sluice.cli.doctor.registration.RegistrationCheck;
import dev.sluice.cli.doctor.registration.ScopeCheck;
import dev.sluice.cli.doctor.server.AgreementCheck;
import dev.sluice.cli.doctor.server.ConfigurationCheck;
import dev.sluice.cli.doctor.server.DeploymentCheck;
import dev.sluice.cli.doctor.server.EndpointCheck;
import dev.sluice.cli.doctor.server.JobKindCheck;
import dev.sluice.cli.doctor.server.LeaderCheck;
import dev.sluice.cli.doctor.server.ServerPlace;
import dev.sluice.cli.doctor.server.ServerRightsCheck;
import dev.sluice.cli.doctor.server.ViewRightsCheck;
import dev.sluice.cli.doctor.trust.AuthorityCheck;
import dev.sluice.cli.doctor.trust.BundleCheck;
import dev.sluice.cli.doctor.trust.TrustCheck;
import dev.sluice.cli.doctor.trust.TrustCheck.HostAndPort;
import dev.sluice.server.program.Version;
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
  private final Choices choices;

  /**
   * What the caller chose.
   *
   * @param bound how long each call may take
   * @param clusterArguments the options that lead to this cluster, for remedies
   * @param configuration a given one, or the defaults
   * @param extensions given ones, or the defaults
   * @param given the settings of both roles by the given one; empty if none was given
   * @param forwarded where servers behind a Service can be reached from here, if anywhere
   * @param fixes whether what is safe to mend is mended
   */
  record Choices(
      Duration bound,
      String clusterArguments,
      Configuration configuration,
      Extensions extensions,
      Optional<RoleSettings> given,
      Optional<HostAndPort> forwarded,
      boolean fixes) {
    /** Without a file the enabled kinds of jobs are unknown, so they are not reported. */
    private List<Framework> frameworks() {
      return given.isPresent() ? configuration.jobs().frameworks() : List.of();
    }
  }

  Examination(ApiServer server, InstantSource clock, Choices choices) {
    this.server = server;
    this.cluster = new Cluster(server, choices.bound());
    this.clock = clock;
    this.choices = choices;
  }

  /** Looks at everything. */
  Findings run() {
    Findings findings = new Findings();
    try {
      if (answers(findings)) {
        TrustCheck trust = new TrustCheck(clock, choices.bound(), choices.forwarded());
        kinds(trust, findings);
        checks(trust).forEach(check -> check.check(findings));
        if (choices.fixes()) {
          mend(findings);
        }
      }
    } catch (ClusterException e) {
      findings.error(
          "API server",
          String.valueOf(e.getMessage()),
          "check that it runs and that the kubeconfig names it: kubectl version");
    }
    return findings;
  }

  /** What is looked at once the kinds were. */
  private List<Check> checks(TrustCheck trust) {
    ServerPlace place = ServerPlace.in(cluster);
    ConfigurationCheck installed = new ConfigurationCheck(cluster, place);
    String version = Version.class.getPackage().getImplementationVersion();
    return List.of(
        new RegistrationCheck(cluster, trust),
        new ScopeCheck(cluster, place),
        new BundleCheck(cluster, clock),
        new DeploymentCheck(cluster, place, version),
        new EndpointCheck(cluster, place),
        installed,
        new LeaderCheck(cluster, place, () -> election(installed, place), clock),
        new AuthorityCheck(cluster, place, clock),
        new ServerRightsCheck(cluster, place),
        new ViewRightsCheck(cluster, place),
        new ApiServiceCheck(cluster),
        new RightsCheck(cluster),
        findings -> new JobKindCheck(cluster).check(choices.frameworks(), findings),
        findings ->
            new AgreementCheck(cluster, place)
                .check(choices.configuration(), choices.given(), findings),
        new MultiKueueCheck(
            cluster,
            choices.bound(),
            MultiKueueCheck.Manager.of(configuration(place), choices.extensions())));
  }

  /** As the cluster has it; without that, as was given. */
  private LeaderElection election(ConfigurationCheck installed, ServerPlace place) {
    return installed
        .configuration()
        .orElseGet(() -> configuration(place))
        .manager()
        .leaderElection();
  }

  /** What was given, in the namespace of the server; its own if no server is registered. */
  private Configuration configuration(ServerPlace place) {
    Configuration given = choices.configuration();
    return place.service().map(it -> given.in(it.namespace())).orElse(given);
  }

  private static void mend(Findings findings) {
    for (Findings.Fix fix : findings.fixes()) {
      Answer answer = fix.action().get();
      if (answer.isSuccess()) {
        findings.ok(fix.object(), fix.done());
      } else {
        findings.error(fix.object(), "could not be mended: " + answer.message(), Remedies.RIGHTS);
      }
    }
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
    CrdCheck crds = new CrdCheck(cluster, trust, choices.clusterArguments());
    VersionProbe probe = new VersionProbe(cluster, choices.bound());
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
    return new TrustCheck(clock, choices.bound(), Optional.empty())
        .check("converter " + url, config, new Findings());
  }
}
