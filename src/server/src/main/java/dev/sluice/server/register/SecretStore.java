package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.certs.AuthorityStore;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps the shared authorities in a Secret. An apply without force creates it: of two servers that
 * create it at once, the second gets a conflict. An apply with the resourceVersion that was read
 * changes it.
 */
public final class SecretStore implements AuthorityStore {
  private static final String KEY = "authorities.pem";

  private final ClusterObjects objects;
  private final String namespace;
  private final String name;

  private SecretStore(Connection cluster, String namespace, String name) {
    // a manager of its own: for two of the same name there would be no conflict
    this.objects = new ClusterObjects(cluster, "sluice-serve-" + UUID.randomUUID());
    this.namespace = namespace;
    this.name = name;
  }

  /** The Secret of that name; nothing is read before the first call. */
  public static SecretStore of(ClusterAccess access, String namespace, String name) {
    return new SecretStore(Connection.to(access), namespace, name);
  }

  private String path() {
    return "/api/v1/namespaces/" + namespace + "/secrets/" + name;
  }

  @Override
  public Optional<Stored> read() {
    JsonNode secret = objects.get(path());
    if (secret.isMissingNode()) {
      return Optional.empty();
    }
    String encoded = secret.path("data").path(KEY).asText();
    return Optional.of(
        new Stored(
            new String(Base64.getDecoder().decode(encoded), UTF_8),
            secret.at("/metadata/resourceVersion").asText(),
            secret.path("metadata").path("annotations").path(Annotations.NEW_AUTHORITY).asText()));
  }

  @Override
  public boolean write(String text, String summary, Optional<Stored> replaced) {
    ObjectNode secret = JsonNodeFactory.instance.objectNode();
    secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
    ObjectNode metadata = secret.putObject("metadata").put("name", name);
    metadata.putObject("labels").put("app.kubernetes.io/part-of", "sluice");
    metadata.putObject("annotations").put(Annotations.AUTHORITIES, summary);
    secret.putObject("data").put(KEY, Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    return replaced.isPresent()
        ? objects.apply(path(), secret, replaced.get().version())
        : objects.create(path(), secret);
  }

  @Override
  public String toString() {
    return "the Secret " + namespace + "/" + name;
  }
}
