package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.CUSTOM_METRIC_LABELS;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import dev.sluice.api.configuration.Manager.Certificates;
import dev.sluice.api.configuration.Manager.Client;
import dev.sluice.api.configuration.Manager.Controller;
import dev.sluice.api.configuration.Manager.Health;
import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.api.configuration.Manager.Metrics;
import dev.sluice.api.configuration.Manager.Visibility;
import dev.sluice.api.configuration.Manager.Webhook;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.names.DnsLabel;
import dev.sluice.api.names.Subdomain;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what concerns the process and not the jobs. */
final class ManagerReader {
  private static final Pattern ADDRESS = Pattern.compile(".*:([0-9]{1,5})");
  private static final int PORT = 9443;
  private static final String CERT_DIR = "/tmp/k8s-webhook-server/serving-certs";
  private static final String NOWHERE = "0";
  private static final String METRICS = ":8443";
  private static final String HEALTH = ":8081";
  private static final String SERVICE = "kueue-webhook-service";
  private static final String SECRET = "kueue-webhook-server-cert";
  private static final int VISIBILITY_PORT = 8082;
  private static final String PLAIN_PORT =
      "--http-host and --http-port say where health and metrics are";

  private ManagerReader() {}

  /**
   * Reads it.
   *
   * @param namespace where the process runs
   */
  static Manager read(Fields fields, FeatureGates gates, String namespace) {
    return new Manager(
        webhook(fields.object("webhook")),
        metrics(fields.object("metrics"), gates),
        health(fields.object("health")),
        pprof(fields),
        leaderElection(fields.object("leaderElection"), namespace),
        controller(fields.object("controller")),
        client(fields.object("clientConnection")),
        certificates(fields.object("internalCertManagement")),
        TlsReader.read(fields.object("tls")),
        visibility(fields.object("visibilityServer")));
  }

  private static Optional<String> pprof(Fields fields) {
    Optional<String> address =
        fields.text("pprofBindAddress").filter(text -> !text.isEmpty() && !text.equals("0"));
    address.ifPresent(
        it -> noteUnused(fields, "pprofBindAddress", it, "", "no profiles are served anywhere"));
    return address;
  }

  /** Says of a field that is something else than it is by default that it changes nothing here. */
  private static void noteUnused(
      Fields fields, String name, Object value, Object byDefault, String instead) {
    if (fields.has(name) && !value.equals(byDefault)) {
      fields.problem(WARNING, name, value + " is not used here: " + instead);
    }
  }

  private static Webhook webhook(Fields fields) {
    Webhook webhook =
        new Webhook(
            fields.text("host", ""),
            fields.integer("port", PORT, 1, 65535),
            fields.text("certDir", CERT_DIR));
    noteUnused(fields, "host", webhook.host(), "", "--host says where reviews are answered");
    noteUnused(fields, "port", webhook.port(), PORT, "--port says where reviews are answered");
    noteUnused(fields, "certDir", webhook.certDir(), CERT_DIR, "--cert-dir names a certificate");
    fields.end();
    return webhook;
  }

  private static Metrics metrics(Fields fields, FeatureGates gates) {
    String address = address(fields, "bindAddress", METRICS);
    if (!address.equals(NOWHERE)) {
      noteUnused(fields, "bindAddress", address, METRICS, PLAIN_PORT + ", without TLS");
    }
    boolean clusterQueues = fields.flag("enableClusterQueueResources", false);
    Fields local = fields.object("localQueueMetrics");
    boolean localQueues = local.flag("enable", true);
    LabelSelector selector =
        SelectorReader.read(local.object("localQueueSelector")).orElse(LabelSelector.EVERYTHING);
    local.end();
    Metrics metrics =
        new Metrics(address, clusterQueues, localQueues, selector, CustomLabelsReader.read(fields));
    if (!metrics.customLabels().isEmpty() && !gates.isOn(CUSTOM_METRIC_LABELS)) {
      fields.problem(
          WARNING,
          "customLabels",
          "has no effect: feature gate " + CUSTOM_METRIC_LABELS + " is off");
    }
    fields.end();
    return metrics;
  }

  private static Health health(Fields fields) {
    Health health =
        new Health(
            address(fields, "healthProbeBindAddress", HEALTH),
            fields.text("readinessEndpointName", "readyz"),
            fields.text("livenessEndpointName", "healthz"));
    noteUnused(fields, "healthProbeBindAddress", health.bindAddress(), HEALTH, PLAIN_PORT);
    noteUnused(fields, "readinessEndpointName", health.readinessName(), "readyz", "it is /readyz");
    noteUnused(fields, "livenessEndpointName", health.livenessName(), "healthz", "it is /healthz");
    fields.end();
    return health;
  }

  /** {@code host:port}, or {@code 0} for nowhere. */
  private static String address(Fields fields, String name, String byDefault) {
    String address = fields.text(name, byDefault);
    var port = ADDRESS.matcher(address);
    if (!address.equals(NOWHERE) && !(port.matches() && Integer.parseInt(port.group(1)) <= 65535)) {
      fields.problem(INVALID, name, Fields.wrong("\"" + address + "\"", "host:port, :port or 0"));
      return byDefault;
    }
    return address;
  }

  private static LeaderElection leaderElection(Fields fields, String namespace) {
    LeaderElection election =
        new LeaderElection(
            fields.flag("leaderElect", true),
            fields.text("resourceLock", "leases"),
            fields.text("resourceName", "c1f6bfd2.kueue.x-k8s.io"),
            fields.text("resourceNamespace", namespace),
            fields.duration("leaseDuration", Duration.ofSeconds(15)),
            fields.duration("renewDeadline", Duration.ofSeconds(10)),
            fields.duration("retryPeriod", Duration.ofSeconds(2)));
    if (election.enabled()) {
      checkTimes(election, fields);
    }
    if (!election.resourceLock().equals("leases")) {
      fields.problem(
          INVALID, "resourceLock", Fields.wrong("\"" + election.resourceLock() + "\"", "leases"));
    }
    fields.end();
    return election;
  }

  /** A leader must have several tries before its deadline, and give up before another one leads. */
  private static void checkTimes(LeaderElection election, Fields fields) {
    Duration retry = election.retryPeriod();
    if (retry.isZero()) {
      fields.problem(INVALID, "retryPeriod", Fields.wrong("0s", "more than 0s"));
    }
    if (election.renewDeadline().compareTo(retry.multipliedBy(6).dividedBy(5)) <= 0) {
      fields.problem(
          INVALID,
          "renewDeadline",
          Fields.wrong(
              seconds(election.renewDeadline()),
              "more than 1.2 times retryPeriod, which is " + seconds(retry)));
    }
    if (election.leaseDuration().compareTo(election.renewDeadline()) <= 0) {
      fields.problem(
          INVALID,
          "leaseDuration",
          Fields.wrong(
              seconds(election.leaseDuration()),
              "more than renewDeadline, which is " + seconds(election.renewDeadline())));
    }
  }

  private static String seconds(Duration time) {
    return "%ss"
        .formatted(BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString());
  }

  private static Controller controller(Fields fields) {
    Controller controller =
        new Controller(
            fields.integers("groupKindConcurrency", 1),
            fields.duration("cacheSyncTimeout", Duration.ofMinutes(2)));
    fields.end();
    return controller;
  }

  private static Client client(Fields fields) {
    Client client =
        new Client(
            fields.number("qps", 300),
            fields.integer("burst", 500, Integer.MIN_VALUE, Integer.MAX_VALUE));
    noteUnused(fields, "qps", client.qps(), 300.0, "--writers bounds the calls at one time");
    noteUnused(fields, "burst", client.burst(), 500, "--writers bounds the calls at one time");
    fields.end();
    return client;
  }

  private static Certificates certificates(Fields fields) {
    String service = fields.text("webhookServiceName", SERVICE);
    String secret = fields.text("webhookSecretName", SECRET);
    for (String problem : DnsLabel.problems(service)) {
      fields.problem(INVALID, "webhookServiceName", "\"" + service + "\" " + problem);
    }
    if (!service.isEmpty() && Character.isDigit(service.charAt(0))) {
      fields.problem(
          INVALID,
          "webhookServiceName",
          Fields.wrong("\"" + service + "\"", "the first character is a letter"));
    }
    for (String problem : Subdomain.problems(secret)) {
      fields.problem(INVALID, "webhookSecretName", "\"" + secret + "\" " + problem);
    }
    Certificates certificates = new Certificates(fields.flag("enable", true), service, secret);
    noteUnused(
        fields,
        "enable",
        certificates.ownAuthority(),
        true,
        "without --cert-dir the server makes a certificate of its own");
    noteUnused(
        fields, "webhookServiceName", service, SERVICE, "--service names the Service in front");
    noteUnused(
        fields,
        "webhookSecretName",
        secret,
        SECRET,
        "certificates are in --data or --cert-dir, and no Secret is read");
    fields.end();
    return certificates;
  }

  private static Visibility visibility(Fields fields) {
    Visibility visibility =
        new Visibility(
            fields.text("bindAddress", ""), fields.integer("bindPort", VISIBILITY_PORT, 1, 65535));
    fields.end();
    return visibility;
  }
}
