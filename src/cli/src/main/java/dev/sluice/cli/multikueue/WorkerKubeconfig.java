package dev.sluice.cli.multikueue;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import java.net.URI;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A kubeconfig of the manager's account on a worker, with everything in it.
 *
 * @param server the address of the worker's API server, as the manager reaches it
 * @param authorities who signed its certificate; empty for an authority that every system knows
 * @param serverName the name in its certificate, where it is not the one of the address
 * @param token logs in
 */
record WorkerKubeconfig(
    URI server, List<X509Certificate> authorities, Optional<String> serverName, String token) {
  private static final String NAME = "worker";
  private static final String KEY = "kubeconfig";

  WorkerKubeconfig {
    authorities = List.copyOf(authorities);
  }

  /** As a document of YAML. */
  String yaml() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "v1").put("kind", "Config").put("current-context", NAME);
    ObjectNode cluster = entry(root, "clusters").putObject("cluster");
    cluster.put("server", server.toString());
    if (!authorities.isEmpty()) {
      cluster.put("certificate-authority-data", base64(pem()));
    }
    serverName.ifPresent(name -> cluster.put("tls-server-name", name));
    entry(root, "users").putObject("user").put("token", token);
    entry(root, "contexts").putObject("context").put("cluster", NAME).put("user", NAME);
    return YamlWriter.write(root);
  }

  /** As a Secret for a MultiKueueCluster on the manager. */
  String secret(String namespace, String name) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "v1").put("kind", "Secret");
    root.putObject("metadata").put("name", name).put("namespace", namespace);
    root.put("type", "Opaque").putObject("data").put(KEY, base64(yaml()));
    return YamlWriter.write(root);
  }

  private static ObjectNode entry(ObjectNode root, String list) {
    return root.putArray(list).addObject().put("name", NAME);
  }

  private String pem() {
    Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));
    StringBuilder pem = new StringBuilder();
    for (X509Certificate authority : authorities) {
      pem.append("-----BEGIN CERTIFICATE-----\n")
          .append(lines.encodeToString(encoded(authority)))
          .append("\n-----END CERTIFICATE-----\n");
    }
    return pem.toString();
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Names no secret. */
  @Override
  public String toString() {
    return "WorkerKubeconfig[" + server + "]";
  }
}
