package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MultiKueueCluster: the two ways to reach a cluster were moved under one key. v1beta1 requires a
 * kubeconfig in any case, so one that points nowhere stands in where there is none.
 */
final class MultiKueueClusterSteps {
  private static final String KUBE_CONFIG = "kubeConfig";
  private static final String PROFILE = "clusterProfileRef";
  private static final String SOURCE = "clusterSource";

  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(
                  new FieldConversion(
                      SOURCE,
                      List.of("spec"),
                      List.of(KUBE_CONFIG, PROFILE, SOURCE),
                      MultiKueueClusterSteps::up,
                      MultiKueueClusterSteps::down,
                      false))));

  private MultiKueueClusterSteps() {}

  private static JsonObject up(JsonObject value) {
    if (value.has(SOURCE) && !value.has(KUBE_CONFIG) && !value.has(PROFILE)) {
      return value; // a key of the target's that strayed in: it stays
    }
    JsonObject source = new JsonObject(); // in the order of keys that the API server sends
    Json profile = value.get(PROFILE);
    if (profile != null) {
      source.put(PROFILE, profile);
    }
    Json kubeConfig = value.get(KUBE_CONFIG);
    if (kubeConfig != null && pointsSomewhere(value.object(KUBE_CONFIG))) {
      source.put(KUBE_CONFIG, kubeConfig);
    }
    JsonObject mapped = new JsonObject();
    mapped.put(SOURCE, source);
    return mapped;
  }

  private static boolean pointsSomewhere(@Nullable JsonObject kubeConfig) {
    String location = kubeConfig == null ? null : kubeConfig.text("location");
    return location != null && !location.isEmpty();
  }

  private static JsonObject down(JsonObject value) {
    JsonObject source = value.object(SOURCE);
    JsonObject from =
        value.has(SOURCE) ? source : value; // keys of the target's that strayed in stay
    JsonObject kubeConfig = from == null ? null : from.object(KUBE_CONFIG);
    Json profile = from == null ? null : from.get(PROFILE);
    JsonObject mapped = new JsonObject();
    Json stray = value.has(SOURCE) ? null : value.get(KUBE_CONFIG);
    mapped.put(KUBE_CONFIG, kubeConfig != null ? kubeConfig : stray != null ? stray : filler());
    if (profile != null) {
      mapped.put(PROFILE, profile);
    }
    return mapped;
  }

  private static JsonObject filler() {
    JsonObject filler = new JsonObject();
    filler.put("location", JsonSlice.text(""));
    filler.put("locationType", JsonSlice.text("Secret"));
    return filler;
  }
}
