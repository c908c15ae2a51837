package dev.sluice.manifests;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.regex.Pattern;

/** How the API server reaches the webhook server. */
public sealed interface Target {

  /** The {@code clientConfig} that leads to a path of the server, such as {@code /convert}. */
  ObjectNode clientConfig(String path);

  /**
   * Through a Service in the cluster.
   *
   * @param namespace where server and Service live
   * @param name name of the Service
   * @param port port of the Service, 1..65535
   */
  record Service(String namespace, String name, int port) implements Target {

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** What the packed manifests are written for. */
    public static final Service DEFAULT = new Service("sluice-system", "sluice-webhook", 443);

    public Service {
      requireLabel("namespace", namespace);
      requireLabel("name", name);
      if (port < 1 || port > 65535) {
        throw new IllegalArgumentException("port: " + port + " (expected: 1..65535)");
      }
    }

    /** The Service of this name and port in another namespace. */
    public Service in(String other) {
      return new Service(other, name, port);
    }

    private static void requireLabel(String what, String text) {
      if (!DNS_LABEL.matcher(text).matches()) {
        throw new IllegalArgumentException(what + ": " + text + " (expected: a DNS label)");
      }
    }

    @Override
    public ObjectNode clientConfig(String path) {
      ObjectNode config = JsonNodeFactory.instance.objectNode();
      config
          .putObject("service")
          .put("namespace", namespace)
          .put("name", name)
          .put("path", path)
          .put("port", port);
      return config;
    }
  }

  /**
   * By a URL, for a server outside the cluster.
   *
   * @param base scheme {@code https}, a host and at most a port; a path is put before those of the
   *     webhooks. The API server takes no user, query or fragment.
   */
  record Url(URI base) implements Target {

    public Url {
      if (!"https".equals(base.getScheme())
          || base.getHost() == null
          || base.getRawUserInfo() != null
          || base.getRawQuery() != null
          || base.getRawFragment() != null) {
        throw new IllegalArgumentException(
            "url: " + base + " (expected: https://HOST[:PORT] without user, query and fragment)");
      }
    }

    @Override
    public ObjectNode clientConfig(String path) {
      String start = base.toString().replaceAll("/+$", "");
      return JsonNodeFactory.instance.objectNode().put("url", start + path);
    }
  }
}
