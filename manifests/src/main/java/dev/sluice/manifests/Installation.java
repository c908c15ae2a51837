package dev.sluice.manifests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is applied to one cluster, as documents ready for {@code kubectl apply -f -}: everything
 * leads to the target, and every place that needs the CA bundle has it.
 *
 * <p>With a {@link Target.Service} the documents include namespace, rights, Service and Deployment
 * of the server, and no webhook configurations: the server registers itself once it answers. With a
 * {@link Target.Url} the server runs elsewhere: its webhook configurations are included, and the
 * rest is left out.
 *
 * @param target how the API server reaches the webhook server
 * @param caBundlePem certificates the API server shall trust for it, as PEM; null leaves the
 *     bundles out, for a server in the cluster that puts in its own
 * @param jobs the kinds of jobs that are managed
 * @param configuration the configuration of a server in the cluster
 * @param served the versions at which our kinds are served
 */
public record Installation(
    Target target,
    @Nullable String caBundlePem,
    JobSelection jobs,
    ServerConfiguration configuration,
    ServedVersions served) {

  private static final String SERVICE_FLAG = "--service=";
  private static final String NAMESPACE_FLAG = "--namespace=";
  private static final String ACCOUNTS = "system:serviceaccount:";
  private static final String BEGIN = "-----BEGIN CERTIFICATE-----";

  public Installation {
    if (caBundlePem != null
        && (!caBundlePem.contains(BEGIN) || caBundlePem.contains("PRIVATE KEY-----"))) {
      // the text itself is not repeated: it may be a key
      throw new IllegalArgumentException("caBundlePem (expected: PEM with certificates only)");
    }
  }

  /**
   * An installation that manages what is managed without a configuration, without CA bundles, for a
   * server in the cluster that puts in its own.
   */
  public static Installation into(Target target) {
    return new Installation(
        target, null, JobSelection.DEFAULT, ServerConfiguration.NONE, ServedVersions.ALL);
  }

  /** The same with these certificates as CA bundle everywhere. */
  public Installation trusting(String pem) {
    return new Installation(target, pem, jobs, configuration, served);
  }

  /** The same with these kinds of jobs. */
  public Installation managing(JobSelection selection) {
    return new Installation(target, caBundlePem, selection, configuration, served);
  }

  /** The same with this configuration of the server. */
  public Installation configuredBy(ServerConfiguration chosen) {
    return new Installation(target, caBundlePem, jobs, chosen, served);
  }

  /** The same with our kinds at these versions only. */
  public Installation serving(ServedVersions versions) {
    return new Installation(target, caBundlePem, jobs, configuration, versions);
  }

  /** The documents in an order in which they can be applied: what is needed comes first. */
  public List<ObjectNode> documents() {
    Manifests manifests = new Manifests();
    List<ObjectNode> documents = new ArrayList<>();
    if (target instanceof Target.Service service) {
      documents.addAll(server(manifests, service));
    }
    documents.addAll(definitions(manifests.crds()));
    documents.addAll(target instanceof Target.Url ? registration() : manifests.userRoles());
    if (target instanceof Target.Service service) {
      documents.addAll(visibility(manifests, service));
    }
    return documents;
  }

  /** Last, so that nothing waits for the server of an API that nothing else needs. */
  private List<ObjectNode> visibility(Manifests manifests, Target.Service service) {
    List<ObjectNode> documents =
        configuration
            .visibility()
            .documents(manifests, service.namespace(), configuration.monitoring().isInstalled());
    configuration.monitoring().label(documents);
    for (ObjectNode document : documents) {
      if (document.path("kind").asText().equals("Deployment")) {
        configuration.configure(document);
      }
    }
    return documents;
  }

  /** All for a server in the cluster but our kinds. */
  private List<ObjectNode> server(Manifests manifests, Target.Service service) {
    List<ObjectNode> documents = new ArrayList<>();
    documents.add(manifests.namespace());
    documents.addAll(manifests.rbac());
    documents.addAll(manifests.viewRbac());
    documents.addAll(manifests.schedulerRbac());
    documents.addAll(manifests.flow());
    if (configuration.hasDocuments()) {
      documents.add(configuration.configMap(service.namespace()));
    }
    documents.addAll(manifests.deployment());
    configuration.certificates().adapt(documents);
    if (configuration.monitoring().isInstalled()) {
      documents.addAll(manifests.monitoring());
      configuration.monitoring().label(documents);
    }
    if (configuration.replicas() == 1) { // of one, a budget could only hold up the drain of nodes
      documents.removeIf(it -> it.path("kind").asText().equals("PodDisruptionBudget"));
    }
    documents.forEach(document -> move(document, service));
    return documents;
  }

  /** These definitions of our kinds, whose conversions lead to the target; they are changed. */
  public List<ObjectNode> definitions(List<ObjectNode> crds) {
    for (ObjectNode crd : crds) {
      direct(crd);
      served.applyTo(crd);
    }
    return crds;
  }

  /** The webhook configurations: of what is set, then of what is checked. */
  public List<ObjectNode> registration() {
    List<ObjectNode> registration = new Manifests().registration(jobs);
    for (ObjectNode document : registration) {
      if (target instanceof Target.Service service) {
        keepAway(document, service.namespace());
      }
      direct(document);
    }
    return registration;
  }

  /** The documents as one YAML stream. The same installation gives the same text. */
  public String yaml() {
    return YamlWriter.writeAll(documents());
  }

  /** The documents as the items of one {@code v1} {@code List}, for output as JSON. */
  public ObjectNode list() {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("apiVersion", "v1").put("kind", "List");
    list.putArray("items").addAll(documents());
    return list;
  }

  private void move(ObjectNode document, Target.Service service) {
    switch (document.path("kind").asText()) {
      case "Namespace" -> metadata(document).put("name", service.namespace());
      case "ClusterRoleBinding" -> moveSubjects(document, service);
      case "Role" -> metadata(document).put("namespace", service.namespace());
      case "RoleBinding" -> {
        metadata(document).put("namespace", service.namespace());
        moveSubjects(document, service);
      }
      case "Service" -> {
        metadata(document).put("namespace", service.namespace()).put("name", service.name());
        ((ObjectNode) document.at("/spec/ports/0")).put("port", service.port());
      }
      case "ServiceAccount",
          "Secret",
          "PodDisruptionBudget",
          "NetworkPolicy",
          "Issuer",
          "PodMonitor",
          "PrometheusRule",
          "ConfigMap" ->
          metadata(document).put("namespace", service.namespace());
      case "Certificate" -> {
        metadata(document).put("namespace", service.namespace());
        rename(document.at("/spec/dnsNames"), service);
      }
      case "FlowSchema" -> moveFlow(document, service);
      case "Deployment" -> {
        metadata(document).put("namespace", service.namespace());
        for (JsonNode container : document.at("/spec/template/spec/containers")) {
          tellWhere((ArrayNode) container.path("args"), service);
        }
        configuration.giveTo(document);
      }
      default -> {} // the rest lives in no namespace
    }
  }

  private static void moveSubjects(ObjectNode binding, Target.Service service) {
    binding
        .path("subjects")
        .forEach(subject -> ((ObjectNode) subject).put("namespace", service.namespace()));
  }

  private static void moveFlow(ObjectNode schema, Target.Service service) {
    for (JsonNode rule : schema.at("/spec/rules")) {
      for (JsonNode subject : rule.path("subjects")) {
        ((ObjectNode) subject.path("serviceAccount")).put("namespace", service.namespace());
      }
      for (JsonNode resources : rule.path("resourceRules")) {
        if (resources.at("/namespaces/0").asText().equals(Registration.OWN_NAMESPACE)) {
          ((ArrayNode) resources.path("namespaces")).set(0, service.namespace());
        }
      }
    }
  }

  /** DNS names of the default Service become those of this one. */
  private static void rename(JsonNode names, Target.Service service) {
    String before = Target.Service.DEFAULT.name() + "." + Target.Service.DEFAULT.namespace();
    String after = service.name() + "." + service.namespace();
    for (int i = 0; i < names.size(); i++) {
      ((ArrayNode) names).set(i, names.get(i).asText().replace(before, after));
    }
  }

  /**
   * Tells the server under which name it is called, since its certificate must say so, and the
   * scheduler where its Lease is.
   */
  private static void tellWhere(ArrayNode args, Target.Service service) {
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i).asText().startsWith(SERVICE_FLAG)) {
        args.set(i, SERVICE_FLAG + service.namespace() + "/" + service.name());
      } else if (args.get(i).asText().startsWith(NAMESPACE_FLAG)) {
        args.set(i, NAMESPACE_FLAG + service.namespace());
      }
    }
  }

  /**
   * Keeps what happens in the namespace of the server away from it, whatever its name, and knows
   * our accounts there.
   */
  private static void keepAway(ObjectNode configuration, String namespace) {
    for (JsonNode webhook : configuration.path("webhooks")) {
      if (webhook.at("/namespaceSelector/matchExpressions/0/values") instanceof ArrayNode names) {
        for (int i = 0; i < names.size(); i++) {
          if (names.get(i).asText().equals(Registration.OWN_NAMESPACE)) {
            names.set(i, namespace);
          }
        }
      }
      for (JsonNode condition : webhook.path("matchConditions")) {
        String expression = condition.path("expression").asText();
        ((ObjectNode) condition)
            .put(
                "expression",
                expression.replace(
                    ACCOUNTS + Registration.OWN_NAMESPACE + ":", ACCOUNTS + namespace + ":"));
      }
    }
  }

  private static ObjectNode metadata(ObjectNode document) {
    return (ObjectNode) document.path("metadata");
  }

  private void direct(ObjectNode document) {
    if (document.at("/spec/conversion/webhook") instanceof ObjectNode webhook) {
      rewrite(webhook);
    }
    for (JsonNode webhook : document.path("webhooks")) {
      rewrite((ObjectNode) webhook);
    }
  }

  private void rewrite(ObjectNode webhook) {
    String path = webhook.at("/clientConfig/service/path").asText();
    ObjectNode config = target.clientConfig(path);
    if (caBundlePem != null) {
      config.put("caBundle", Base64.getEncoder().encodeToString(caBundlePem.getBytes(UTF_8)));
    }
    webhook.set("clientConfig", config);
  }
}
