package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Where the servers in a cluster have their certificates from. */
public sealed interface ServerCertificates {
  /** The servers sign their own, with one authority in a Secret. */
  record Shared() implements ServerCertificates {}

  /** cert-manager makes them, with an authority for Sluice alone. */
  record CertManager() implements ServerCertificates {}

  /**
   * Somebody else keeps them in a Secret of type {@code kubernetes.io/tls}.
   *
   * @param secret its name, in the namespace of the servers; with {@code tls.crt}, {@code tls.key},
   *     and {@code ca.crt} if an authority is to be published
   */
  record InSecret(String secret) implements ServerCertificates {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    public InSecret {
      if (!NAME.matcher(secret).matches()) {
        throw new IllegalArgumentException(
            "Secret: " + secret + " (expected: the name of an object)");
      }
    }
  }

  /** Adapts what the packed manifests say, which is {@link Shared}. */
  default void adapt(List<ObjectNode> documents) {
    switch (this) {
      case Shared _ -> {}
      case CertManager _ -> {
        documents.addAll(new Manifests().certManager());
        mount(documents, "sluice-webhook-tls");
      }
      case InSecret(String secret) -> mount(documents, secret);
    }
  }

  /** The servers read a folder, and need no rights to a Secret. */
  private static void mount(List<ObjectNode> documents, String secret) {
    documents.removeIf(
        it ->
            Set.of("Role", "RoleBinding").contains(it.path("kind").asText())
                && it.at("/metadata/name").asText().equals("sluice-webhook"));
    for (ObjectNode document : documents) {
      if (document.path("kind").asText().equals("Deployment")) {
        mount((ObjectNode) document.at("/spec/template/spec"), secret);
      }
    }
  }

  private static void mount(ObjectNode pod, String secret) {
    String folder = "/etc/sluice-tls";
    ObjectNode server = (ObjectNode) pod.at("/containers/0");
    ArrayNode args = (ArrayNode) server.path("args");
    for (int i = 0; i < args.size(); i++) {
      JsonNode arg = args.get(i);
      if (arg.asText().startsWith("--shared-certificates=")) {
        args.set(i, "--cert-dir=" + folder);
      }
    }
    ObjectNode mount = server.withArrayProperty("volumeMounts").addObject();
    mount.put("name", "tls").put("mountPath", folder).put("readOnly", true);
    ObjectNode volume = pod.withArrayProperty("volumes").addObject().put("name", "tls");
    volume.putObject("secret").put("secretName", secret);
  }
}
