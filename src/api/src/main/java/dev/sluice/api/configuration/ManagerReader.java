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
import java.time.Duration;
import java.util.regex.Pattern;

/** Reads what concerns the process and not the jobs. */
final class ManagerReader {
  private static final Pattern ADDRESS = Pattern.compile(".*:([0-9]{1,5})");

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
        fields.text("pprofBindAddress").filter(address -> !address.isEmpty()),
        leaderElection(fields.object("leaderElection"), namespace),
        controller(fields.object("controller")),
        client(fields.object("clientConnection")),
        certificates(fields.object("internalCertManagement")),
        TlsReader.read(fields.object("tls")),
        visibility(fields.object("visibilityServer")));
  }

  private static Webhook webhook(Fields fields) {
    Webhook webhook =
        new Webhook(
            fields.text("host", ""),
            fields.integer("port", 9443, 1, 65535),
            fields.text("certDir", "/tmp/k8s-webhook-server/serving-certs"));
    fields.end();
    return webhook;
  }

  private static Metrics metrics(Fields fields, FeatureGates gates) {
    String address = address(fields, "bindAddress", ":8443");
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
            address(fields, "healthProbeBindAddress", ":8081"),
            fields.text("readinessEndpointName", "readyz"),
            fields.text("livenessEndpointName", "healthz"));
    fields.end();
    return health;
  }

  /** {@code host:port}, or {@code 0} for nowhere. */
  private static String address(Fields fields, String name, String byDefault) {
    String address = fields.text(name, byDefault);
    var port = ADDRESS.matcher(address);
    if (!address.equals("0") && !(port.matches() && Integer.parseInt(port.group(1)) <= 65535)) {
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
    fields.end();
    return election;
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
        new Client(fields.number("qps", 300), fields.integer("burst", 500, 0, Integer.MAX_VALUE));
    fields.end();
    return client;
  }

  private static Certificates certificates(Fields fields) {
    String service = fields.text("webhookServiceName", "kueue-webhook-service");
    String secret = fields.text("webhookSecretName", "kueue-webhook-server-cert");
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
    fields.end();
    return certificates;
  }

  private static Visibility visibility(Fields fields) {
    Visibility visibility =
        new Visibility(fields.text("bindAddress", ""), fields.integer("bindPort", 8082, 1, 65535));
    fields.end();
    return visibility;
  }
}
