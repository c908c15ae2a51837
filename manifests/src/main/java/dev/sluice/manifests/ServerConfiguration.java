package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an operator chose for the server in the cluster.
 *
 * @param documents a YAML stream for {@code --config}; empty for none
 * @param featureGates the value of {@code --feature-gates}; empty for none
 * @param replicas how many Pods there are, at least 1
 * @param image the container image; empty for the one of the packed manifests
 * @param certificates where the servers have their certificates from
 * @param monitoring the objects for the Prometheus operator
 * @param visibility the server of the visibility API
 * @param isRecorded whether the scheduler records its decisions, in a volume that ends with its Pod
 */
public record ServerConfiguration(
    String documents,
    String featureGates,
    int replicas,
    String image,
    ServerCertificates certificates,
    Monitoring monitoring,
    VisibilityServer visibility,
    boolean isRecorded) {
  /** So that one may go while the other answers. */
  public static final int DEFAULT_REPLICAS = 2;

  /** Nothing was chosen. */
  public static final ServerConfiguration NONE = new ServerConfiguration("", "");

  private static final String NAME = "sluice-config";
  private static final String FOLDER = "/etc/sluice";
  private static final String FILE = "config.yaml";
  private static final String RECORDING = "/var/lib/sluice/recording";
  private static final String RECORDING_SIZE = "256Mi";

  /** Two segments more, the old one and the new one while a segment is replaced. */
  private static final String RECORDING_VOLUME = "320Mi";

  public ServerConfiguration {
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas: " + replicas + " (expected: at least 1)");
    }
  }

  /** A configuration of the usual number of replicas. */
  public ServerConfiguration(String documents, String featureGates) {
    this(
        documents,
        featureGates,
        DEFAULT_REPLICAS,
        "",
        new ServerCertificates.Shared(),
        Monitoring.NONE,
        VisibilityServer.DEFAULT,
        false);
  }

  /** The same for another number of replicas. */
  public ServerConfiguration withReplicas(int number) {
    return new ServerConfiguration(
        documents, featureGates, number, image, certificates, monitoring, visibility, isRecorded);
  }

  /** The same with another image. */
  public ServerConfiguration withImage(String other) {
    return new ServerConfiguration(
        documents, featureGates, replicas, other, certificates, monitoring, visibility, isRecorded);
  }

  /** The same with certificates from elsewhere. */
  public ServerConfiguration withCertificates(ServerCertificates other) {
    return new ServerConfiguration(
        documents, featureGates, replicas, image, other, monitoring, visibility, isRecorded);
  }

  /** The same with these objects for the Prometheus operator. */
  public ServerConfiguration monitored(Monitoring other) {
    return new ServerConfiguration(
        documents, featureGates, replicas, image, certificates, other, visibility, isRecorded);
  }

  /** The same with this server of the visibility API. */
  public ServerConfiguration showing(VisibilityServer other) {
    return new ServerConfiguration(
        documents, featureGates, replicas, image, certificates, monitoring, other, isRecorded);
  }

  /** The same with a recorder of the scheduler's decisions. */
  public ServerConfiguration recorded() {
    return new ServerConfiguration(
        documents, featureGates, replicas, image, certificates, monitoring, visibility, true);
  }

  boolean hasDocuments() {
    return !documents.isEmpty();
  }

  /** The ConfigMap with the documents. */
  ObjectNode configMap(String namespace) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = map.putObject("metadata").put("name", NAME).put("namespace", namespace);
    metadata.putObject("labels").put("app.kubernetes.io/part-of", "sluice");
    map.putObject("data").put(FILE, documents);
    return map;
  }

  /** Hands what was chosen to all programs of the Deployment of the webhook server. */
  void giveTo(ObjectNode deployment) {
    ((ObjectNode) deployment.path("spec")).put("replicas", replicas);
    if (isRecorded) {
      record(deployment);
    }
    configure(deployment);
  }

  /** All replicas may lead one day, so all can record. */
  private static void record(ObjectNode deployment) {
    ObjectNode pod = (ObjectNode) deployment.at("/spec/template/spec");
    for (JsonNode container : pod.path("containers")) {
      if (container.path("name").asText().equals("scheduler")) {
        ((ObjectNode) container)
            .withArrayProperty("args")
            .add("--record=" + RECORDING)
            .add("--record-size=" + RECORDING_SIZE);
        ((ObjectNode) container)
            .withArrayProperty("volumeMounts")
            .addObject()
            .put("name", "recording")
            .put("mountPath", RECORDING);
      }
    }
    pod.withArrayProperty("volumes")
        .addObject()
        .put("name", "recording")
        .putObject("emptyDir")
        .put("sizeLimit", RECORDING_VOLUME);
  }

  /** Hands image and configuration to all programs of this Deployment. */
  void configure(ObjectNode deployment) {
    ObjectNode pod = (ObjectNode) deployment.at("/spec/template/spec");
    pod.path("containers").forEach(container -> hand((ObjectNode) container));
    if (hasDocuments()) {
      ObjectNode volume = pod.withArrayProperty("volumes").addObject().put("name", "config");
      volume.putObject("configMap").put("name", NAME);
    }
  }

  private void hand(ObjectNode container) {
    if (!image.isEmpty()) {
      container.put("image", image);
    }
    if (!featureGates.isEmpty()) {
      container.withArrayProperty("args").add("--feature-gates=" + featureGates);
    }
    if (hasDocuments()) {
      container.withArrayProperty("args").add("--config=" + FOLDER + "/" + FILE);
      ObjectNode mount = container.withArrayProperty("volumeMounts").addObject();
      mount.put("name", "config").put("mountPath", FOLDER).put("readOnly", true);
    }
  }
}
