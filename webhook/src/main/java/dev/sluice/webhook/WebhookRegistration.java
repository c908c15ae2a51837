package dev.sluice.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.KindRules;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an operator of its own tells the API server, so that this calls a {@link WebhookServer}: the
 * configuration of its webhooks, and the conversion of its CRDs. All of it is JSON to apply with
 * any client. Apply it again when {@link WebhookServer#caBundlePem} changes.
 *
 * <p>Immutable; any thread may use it. Each call returns a new tree.
 */
public final class WebhookRegistration {
  private static final int TIMEOUT_SECONDS = 5;

  private final ObjectNode address;
  private final URI base;

  private WebhookRegistration(ObjectNode address, URI base) {
    this.address = address;
    this.base = base;
  }

  /**
   * A server behind a Service with port 443.
   *
   * @param namespace the namespace of the Service
   * @param service its name; the certificate must have the name {@code SERVICE.NAMESPACE.svc}
   * @param caBundlePem the authorities of the server, in PEM
   */
  public static WebhookRegistration ofService(
      String namespace, String service, String caBundlePem) {
    ObjectNode address = address(caBundlePem);
    address.putObject("service").put("namespace", namespace).put("name", service).put("port", 443);
    return new WebhookRegistration(address, URI.create(""));
  }

  /**
   * A server outside the cluster.
   *
   * @param base such as {@code https://127.0.0.1:9443}; the certificate must have its host
   * @param caBundlePem the authorities of the server, in PEM
   */
  public static WebhookRegistration ofUrl(URI base, String caBundlePem) {
    return new WebhookRegistration(address(caBundlePem), base);
  }

  private static ObjectNode address(String caBundlePem) {
    byte[] pem = caBundlePem.getBytes(StandardCharsets.US_ASCII);
    return JsonNodeFactory.instance
        .objectNode()
        .put("caBundle", Base64.getEncoder().encodeToString(pem));
  }

  /** The field {@code spec.conversion} of a CRD with several versions. */
  public ObjectNode conversion() {
    ObjectNode conversion = JsonNodeFactory.instance.objectNode().put("strategy", "Webhook");
    ObjectNode webhook = conversion.putObject("webhook");
    webhook.putArray("conversionReviewVersions").add("v1");
    webhook.set("clientConfig", clientConfig(ConversionEndpoint.PATH));
    return conversion;
  }

  /**
   * A ValidatingWebhookConfiguration that has the rules asked when an object is created or changed.
   * Without an answer the write is refused.
   *
   * @param name its name, such as {@code bakery}
   * @param rules the rules of the kind
   * @param plural the plural of the kind in URLs, such as {@code orders}
   */
  public ObjectNode validating(String name, KindRules rules, String plural) {
    String path = ValidationEndpoint.path(rules.kind());
    Set<String> operations = Set.of("CREATE", "UPDATE");
    return configuration("Validating", name, rules.kind(), plural, path, operations);
  }

  /**
   * A MutatingWebhookConfiguration that has the defaulter asked, on the operations on which it
   * runs. Without an answer the write is refused.
   *
   * @param name its name, such as {@code bakery}
   * @param rules the rules of the kind
   * @param plural the plural of the kind in URLs, such as {@code orders}
   * @throws IllegalArgumentException if the kind has no defaulter
   */
  public ObjectNode mutating(String name, KindRules rules, String plural) {
    if (rules.defaultedOn().isEmpty()) {
      throw new IllegalArgumentException(rules.kind() + " (expected: a kind with a defaulter)");
    }
    Set<String> operations = new TreeSet<>();
    rules.defaultedOn().forEach(it -> operations.add(it.name()));
    String path = MutationEndpoint.path(rules.kind());
    return configuration("Mutating", name, rules.kind(), plural, path, operations);
  }

  private ObjectNode configuration(
      String type,
      String name,
      GroupVersionKind kind,
      String plural,
      String path,
      Set<String> operations) {
    ObjectNode configuration =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", "admissionregistration.k8s.io/v1")
            .put("kind", type + "WebhookConfiguration");
    configuration.putObject("metadata").put("name", name);
    ObjectNode webhook =
        configuration
            .putArray("webhooks")
            .addObject()
            .put("name", type.toLowerCase(Locale.ROOT) + "." + plural + "." + kind.group())
            .put("failurePolicy", "Fail")
            .put("sideEffects", "None")
            .put("timeoutSeconds", TIMEOUT_SECONDS);
    webhook.putArray("admissionReviewVersions").add("v1");
    webhook.set("clientConfig", clientConfig(path));
    ObjectNode rule = webhook.putArray("rules").addObject();
    rule.putArray("apiGroups").add(kind.group());
    rule.putArray("apiVersions").add(kind.version());
    rule.putArray("resources").add(plural);
    new TreeSet<>(operations).forEach(rule.putArray("operations")::add);
    return configuration;
  }

  private ObjectNode clientConfig(String path) {
    ObjectNode config = address.deepCopy();
    if (config.has("service")) {
      config.withObjectProperty("service").put("path", path);
    } else {
      config.put("url", base.resolve(path).toString());
    }
    return config;
  }
}
