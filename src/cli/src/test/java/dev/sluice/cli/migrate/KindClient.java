package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Etcd;
import dev.sluice.controlplane.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;

/** One kind on a real control plane: its definition, its objects, and how they lie in etcd. */
final class KindClient {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int IN_FLIGHT = 32;
  private static final String PROBE = "probe-of-storage";

  private final ApiKind kind;
  private final ApiClient client;
  private final Etcd etcd;

  KindClient(ApiKind kind, ApiClient client, Etcd etcd) {
    this.kind = kind;
    this.client = client;
    this.etcd = etcd;
  }

  ApiKind kind() {
    return kind;
  }

  /** Its objects at a version: those of all namespaces if it has namespaces. */
  String collection(ApiVersion version) {
    return "/apis/" + version.groupVersion() + "/" + kind.plural();
  }

  /** Where new objects of this namespace go; the namespace is empty for kinds that have none. */
  String collection(ApiVersion version, String namespace) {
    return namespace.isEmpty()
        ? collection(version)
        : "/apis/%s/namespaces/%s/%s".formatted(version.groupVersion(), namespace, kind.plural());
  }

  /** One object, by {@code namespace/name}, or its name alone. */
  String path(ApiVersion version, String key) {
    ObjectPath path = ObjectPath.parse(key);
    return collection(version, path.namespace()) + "/" + path.name();
  }

  private String definition() {
    return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + kind.crdName();
  }

  /**
   * Changes the version at which the kind is stored, and returns when the API server does so.
   *
   * @param probe an object with some content at the kind's oldest version, by its name
   */
  void storeAt(ApiVersion version, Body probe) {
    ObjectNode crd = (ObjectNode) client.get(definition()).orThrow().json();
    for (JsonNode each : crd.at("/spec/versions")) {
      ((ObjectNode) each).put("storage", each.path("name").asText().equals(version.text()));
    }
    client.put(definition(), crd.toString()).orThrow();
    String namespace = kind.namespaced() ? "default" : "";
    String path = path(ApiVersion.HUB, kind.namespaced() ? "default/" + PROBE : PROBE);
    await()
        .atMost(SOON)
        .until(
            () -> {
              client.delete(path);
              String body = probe.of(PROBE, 1);
              client.create(collection(kind.versions().getFirst(), namespace), body).orThrow();
              return etcd.version(kind, namespace, PROBE).equals(version.groupVersion());
            });
    client.delete(path).orThrow();
  }

  /** Writes to the definition without changing its spec. */
  void annotate() {
    client
        .mergePatch(definition(), "{\"metadata\":{\"annotations\":{\"touched\":\"yes\"}}}")
        .orThrow();
  }

  /** The versions at which objects may lie, as the definition says. */
  List<String> storedVersions() {
    List<String> versions = new ArrayList<>();
    client
        .get(definition())
        .json()
        .at("/status/storedVersions")
        .forEach(version -> versions.add(version.asText()));
    return versions;
  }

  /** The text of an object at the kind's oldest version. */
  @FunctionalInterface
  interface Body {
    String of(String name, int number);
  }

  /** Creates so many objects without a namespace. */
  void create(int count, Body body) {
    concurrently(
        count,
        number ->
            client
                .create(
                    collection(kind.versions().getFirst()),
                    body.of(OldObjects.name(number), number))
                .orThrow());
    assertThat(all(ApiVersion.HUB)).hasSizeGreaterThanOrEqualTo(count);
  }

  /** Does something for each number below the count, many at a time; fails if one of them does. */
  static void concurrently(int count, IntConsumer work) {
    Semaphore free = new Semaphore(IN_FLIGHT);
    List<Throwable> failures = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int number = i;
        free.acquireUninterruptibly();
        threads.execute(
            () -> {
              try {
                work.accept(number);
              } catch (RuntimeException | AssertionError e) {
                synchronized (failures) {
                  failures.add(e);
                }
              } finally {
                free.release();
              }
            });
      }
    }
    assertThat(failures).isEmpty();
  }

  /** Every object as it reads at a version, by name, without its resourceVersion. */
  Map<String, JsonNode> all(ApiVersion version) {
    Map<String, JsonNode> objects = new TreeMap<>();
    for (JsonNode item : list(version).path("items")) {
      ((ObjectNode) item.path("metadata")).remove("resourceVersion");
      objects.put(item.at("/metadata/name").asText(), item);
    }
    return objects;
  }

  /** After a definition has changed, the API server reads and converts all objects again. */
  JsonNode list(ApiVersion version) {
    return client.await(collection(version), SOON, _ -> true).json();
  }
}
