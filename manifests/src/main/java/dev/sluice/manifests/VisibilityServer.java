package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The server of the visibility API in a cluster.
 *
 * @param installed whether there is one
 * @param port its HTTPS port in the Pods, 1..65535
 * @param readsAuthentication whether it gets its right to the ConfigMap by which an API server
 *     proves who it is, which is in kube-system
 * @param isBounded whether the API server has a priority level for what is asked of it
 * @param annotates whether it writes forecasts to Workloads
 */
public record VisibilityServer(
    boolean installed,
    int port,
    boolean readsAuthentication,
    boolean isBounded,
    boolean annotates) {
  /** What the packed manifests are written for. */
  public static final VisibilityServer DEFAULT =
      new VisibilityServer(true, 8082, true, false, false);

  /** A cluster without it. */
  public static final VisibilityServer NONE = new VisibilityServer(false, 8082, true, false, false);

  /** The flag of {@code see} by which it writes forecasts to Workloads. */
  public static final String ANNOTATING_FLAG = "--annotate-forecasts";

  private static final String SYSTEM = "kube-system";
  private static final String PORT_FLAG = "--port=";

  public VisibilityServer {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 1..65535)");
    }
  }

  /** The same on another port. */
  public VisibilityServer on(int other) {
    return new VisibilityServer(installed, other, readsAuthentication, isBounded, annotates);
  }

  /** The same, and somebody else binds it to the role in kube-system. */
  public VisibilityServer withoutAuthReader() {
    return new VisibilityServer(installed, port, false, isBounded, annotates);
  }

  /** The same, and the API server bounds how many requests for it are under way. */
  public VisibilityServer bounded() {
    return new VisibilityServer(installed, port, readsAuthentication, true, annotates);
  }

  /** The same, and it writes forecasts to Workloads, with the rights for that. */
  public VisibilityServer annotating() {
    return new VisibilityServer(installed, port, readsAuthentication, isBounded, true);
  }

  /**
   * Its documents for a server in that namespace, in an order in which they can be applied.
   *
   * @param isMonitored whether there are objects for the Prometheus operator
   */
  List<ObjectNode> documents(Manifests manifests, String namespace, boolean isMonitored) {
    List<ObjectNode> documents = new ArrayList<>();
    if (!installed) {
      return documents;
    }
    documents.addAll(manifests.visibilityRbac());
    if (annotates) {
      documents.addAll(manifests.forecastRbac());
    }
    if (isBounded) {
      documents.addAll(manifests.visibilityFlow());
    }
    documents.addAll(manifests.visibilityDeployment());
    documents.addAll(manifests.apiServices());
    if (isMonitored) {
      documents.addAll(manifests.visibilityMonitoring());
    }
    if (!readsAuthentication) {
      documents.removeIf(it -> it.at("/metadata/namespace").asText().equals(SYSTEM));
    }
    documents.forEach(document -> move(document, namespace));
    return documents;
  }

  private void move(ObjectNode document, String namespace) {
    String own = Registration.OWN_NAMESPACE;
    if (document.at("/metadata/namespace").asText().equals(own)) {
      ((ObjectNode) document.path("metadata")).put("namespace", namespace);
    }
    for (JsonNode subject : document.path("subjects")) {
      ((ObjectNode) subject).put("namespace", namespace);
    }
    if (document.at("/spec/service") instanceof ObjectNode service) {
      service.put("namespace", namespace);
    }
    for (JsonNode container : document.at("/spec/template/spec/containers")) {
      ArrayNode args = (ArrayNode) container.path("args");
      for (int i = 0; i < args.size(); i++) {
        String arg = args.get(i).asText();
        args.set(i, arg.startsWith(PORT_FLAG) ? PORT_FLAG + port : arg.replace(own, namespace));
      }
      if (annotates) {
        args.add(ANNOTATING_FLAG);
      }
      ((ObjectNode) container.at("/ports/0")).put("containerPort", port);
    }
  }
}
