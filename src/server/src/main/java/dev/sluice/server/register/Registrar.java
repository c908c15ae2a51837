package dev.sluice.server.register;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.register.RegistrationPlan.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the plan for both webhook configurations of a server. For one thread. */
final class Registrar {
  private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";

  /** Owns the configurations, so that they go with the rest of an installation. */
  private static final String OWNER = "sluice-webhook";

  private static final String OWNERS = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";

  private final ClusterObjects objects;
  private final SelfRegistration server;

  /** How many reviews had come when the trial of a configuration was first seen. */
  private final Map<String, Long> reviewsBefore = new HashMap<>();

  /** Whether the last round found the server answering. */
  private boolean begun;

  private boolean wrote;

  /** Adds the certificates by which the server is trusted. */
  interface Bundles {
    /**
     * The bundle to write, in Base64; empty for none.
     *
     * @param object the stored object with the webhook
     * @param there the bundle that the webhook has
     */
    String wanted(JsonNode object, String there);
  }

  Registrar(ClusterObjects objects, SelfRegistration server) {
    this.objects = objects;
    this.server = server;
  }

  /** Whether the next round has something to do that should not wait. Sends no request. */
  boolean isDue() {
    return server.ready().getAsBoolean()
        && (!begun || reviewsBefore.values().stream().anyMatch(this::haveMoreCome));
  }

  /** Whether the last round looked at the registration. */
  boolean hasLooked() {
    return begun;
  }

  /** Whether the last round changed a bundle. */
  boolean wrote() {
    return wrote;
  }

  private boolean haveMoreCome(long before) {
    return server.reviews().getAsLong() > before;
  }

  /**
   * What this round has to do; nothing while the server does not answer.
   *
   * @param bundles says what bundle a webhook is to have
   */
  List<Runnable> tasks(Bundles bundles) {
    begun = server.ready().getAsBoolean();
    wrote = false;
    List<Runnable> tasks = new ArrayList<>();
    if (begun) {
      for (ObjectNode desired : server.installation().registration()) {
        tasks.add(() -> register(desired, bundles));
      }
    }
    return tasks;
  }

  private void register(ObjectNode desired, Bundles bundles) {
    String name = desired.at("/metadata/name").asText();
    String kind = desired.path("kind").asText().toLowerCase(Locale.ROOT);
    String path = CONFIGURATIONS + kind + "s/" + name;
    JsonNode live = objects.get(path);
    own(desired);
    trust(desired, live, bundles);
    long reviews = server.reviews().getAsLong();
    Long before = reviewsBefore.get(name);
    RegistrationPlan plan = RegistrationPlan.of(desired, live, before != null && reviews > before);
    switch (plan.found()) {
      case ABSENT -> reviewsBefore.put(name, reviews);
      case TRIAL -> reviewsBefore.putIfAbsent(name, reviews);
      case EFFECTIVE -> reviewsBefore.remove(name);
    }
    wrote |= plan.apply().isPresent() && lacksBundle(desired, live);
    plan.apply().ifPresent(document -> apply(path, document, live, plan.found()));
    if (!plan.stale().isEmpty()) {
      remove(path, plan.stale());
    }
  }

  private void own(ObjectNode desired) {
    JsonNode owner = objects.get(OWNERS + OWNER);
    if (!owner.isMissingNode()) {
      ((ObjectNode) desired.path("metadata"))
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "rbac.authorization.k8s.io/v1")
          .put("kind", "ClusterRole")
          .put("name", OWNER)
          .put("uid", owner.at("/metadata/uid").asText());
    }
  }

  private static Map<String, String> bundles(JsonNode configuration) {
    Map<String, String> bundles = new HashMap<>();
    configuration
        .path("webhooks")
        .forEach(
            it -> bundles.put(it.path("name").asText(), it.at("/clientConfig/caBundle").asText()));
    return bundles;
  }

  /**
   * Whether a webhook has another bundle than it is to have; others may change what else it has.
   */
  private static boolean lacksBundle(ObjectNode desired, JsonNode live) {
    return !bundles(live).entrySet().containsAll(bundles(desired).entrySet());
  }

  private static void trust(ObjectNode desired, JsonNode live, Bundles bundles) {
    Map<String, String> found = bundles(live);
    for (JsonNode webhook : desired.path("webhooks")) {
      String there = found.getOrDefault(webhook.path("name").asText(), "");
      String wanted = bundles.wanted(live, there);
      if (!wanted.isEmpty()) {
        ((ObjectNode) webhook.path("clientConfig")).put("caBundle", wanted);
      }
    }
  }

  private void apply(String path, ObjectNode document, JsonNode live, Phase found) {
    if (objects.apply(path, document, live.at("/metadata/resourceVersion").asText())) {
      LOG.info(
          "{}: {}",
          path.substring(CONFIGURATIONS.length()),
          switch (found) {
            case ABSENT -> "registered, on trial until the first review comes";
            case TRIAL -> "a review has come, or something had changed: registration written";
            case EFFECTIVE -> "registration brought up to date";
          });
    }
  }

  /** One at a time, because each removal moves the next ones. */
  private void remove(String path, List<String> stale) {
    JsonNode webhooks = objects.get(path).path("webhooks");
    for (int i = webhooks.size() - 1; i >= 0; i--) {
      String name = webhooks.get(i).path("name").asText();
      if (stale.contains(name)) {
        String at = "/webhooks/" + i;
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        operations.addObject().put("op", "test").put("path", at + "/name").put("value", name);
        operations.addObject().put("op", "remove").put("path", at);
        if (objects.patch(path, operations)) {
          LOG.info("{}: {} is not needed any more", path, name);
        }
      }
    }
  }
}
