package dev.sluice.multicluster.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The objects of a {@link MemoryApiServer}, by collection and name. Thread-safe. */
public final class MemoryObjects {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SINCE = Pattern.compile("resourceVersion=(\\d+)");
  private static final Pattern PATH =
      Pattern.compile(
          "(/api/v1|/apis/[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+))?(?:/(.+))?");

  private static final String EXPIRED =
      tree("{'type': 'ERROR', 'object': {'kind': 'Status', 'code': 410, 'reason': 'Expired',"
              + " 'message': 'too old resource version'}}")
          .toString();

  private static final AtomicInteger CLUSTERS = new AtomicInteger();

  private record Watcher(String kind, Predicate<JsonNode> selects, BlockingQueue<String> events) {}

  /** What happened, for watches that begin at an earlier version. */
  private record Event(long version, String kind, ObjectNode object, String text) {}

  private final Map<String, ObjectNode> objects = new TreeMap<>();
  private final List<Event> history = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();

  /** The kinds that are served, by group and version; those that every client knows have none. */
  private final Map<String, ArrayNode> served = new TreeMap<>();

  /** Uids of different clusters are different. */
  private final int cluster = CLUSTERS.incrementAndGet();

  private long version = 100;

  /** What happened until then is known no more. */
  private long forgotten;

  /**
   * A collection or an object.
   *
   * @param kind root and plural
   * @param namespace empty for none or all
   * @param name empty for a collection
   */
  private record Target(String kind, String namespace, String name) {
    static Target of(URI uri) {
      Matcher path = PATH.matcher(uri.getPath());
      if (!path.matches()) {
        throw new IllegalArgumentException(uri.toString());
      }
      return new Target(
          path.group(1) + "/" + path.group(3), text(path.group(2)), text(path.group(4)));
    }

    private static String text(@Nullable String group) {
      return group == null ? "" : group;
    }

    String key(String of) {
      return kind + " " + namespace + "/" + of;
    }
  }

  /** The JSON of a text with single quotes. */
  public static ObjectNode tree(String text) {
    return parse(text.replace('\'', '"'));
  }

  private static ObjectNode parse(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** One that serves our group and Jobs. */
  public MemoryObjects() {
    List.of("kueue.x-k8s.io/v1beta2", "batch/v1").forEach(it -> served.put(it, resources()));
  }

  private static ArrayNode resources() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** Serves one more kind. */
  public synchronized void serve(String groupVersion, String kind, String plural) {
    served
        .computeIfAbsent(groupVersion, _ -> resources())
        .addObject()
        .put("kind", kind)
        .put("name", plural);
  }

  private String groups() {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    ArrayNode groups = list.putArray("groups");
    served
        .keySet()
        .forEach(it -> groups.addObject().putArray("versions").addObject().put("groupVersion", it));
    return list.toString();
  }

  /** Stores an object at that path of its collection, as somebody else would. */
  public synchronized void put(String collection, String text) {
    ObjectNode object = tree(text);
    Target target = Target.of(URI.create(collection));
    store(target.key(object.at("/metadata/name").asText()), target.kind(), object);
  }

  /** The object of that path; empty if there is none. */
  public synchronized Optional<JsonNode> find(String path) {
    Target target = Target.of(URI.create(path));
    return Optional.ofNullable(objects.get(target.key(target.name()))).map(JsonNode::deepCopy);
  }

  /** Changes the object of that path, as somebody else would. */
  public synchronized void edit(String path, Consumer<ObjectNode> change) {
    Target target = Target.of(URI.create(path));
    String key = target.key(target.name());
    ObjectNode changed = Optional.ofNullable(objects.get(key)).orElseThrow().deepCopy();
    change.accept(changed);
    store(key, target.kind(), changed);
  }

  /** Another cluster is here from now on: nothing is left of this one. */
  public synchronized void clear() {
    objects.clear();
    history.clear();
    watchers.clear();
    forgotten = 0;
  }

  /** Compacts the history: a watch from an older resourceVersion has to list again. */
  public synchronized void forgetHistory() {
    history.clear();
    forgotten = ++version;
  }

  /** A copy of all that is here, for {@link #restore}. */
  public synchronized Backup backup() {
    Map<String, ObjectNode> copy = new TreeMap<>();
    objects.forEach((key, object) -> copy.put(key, object.deepCopy()));
    return new Backup(copy, version);
  }

  /** Everything is as it was then, the count of versions as well; watches that are open end. */
  public synchronized void restore(Backup backup) {
    clear();
    backup.objects().forEach((key, object) -> objects.put(key, object.deepCopy()));
    version = backup.version();
  }

  /** What a backup of a cluster has. */
  public record Backup(Map<String, ObjectNode> objects, long version) {}

  /** How many objects are in a collection, in all namespaces. */
  public synchronized int count(String collection) {
    return (int) objects.keySet().stream().filter(it -> it.startsWith(collection + " ")).count();
  }

  /** Takes an object away at once, as somebody else would. */
  public synchronized void remove(String path) {
    Target target = Target.of(URI.create(path));
    end(target.key(target.name()), target.kind());
  }

  private void store(String key, String kind, ObjectNode object) {
    ObjectNode before = objects.get(key);
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.put("resourceVersion", Long.toString(++version));
    if (!metadata.has("uid")) {
      metadata.put("uid", "uid-%d-%d".formatted(cluster, version));
    }
    objects.put(key, object);
    tell(kind, before == null ? "ADDED" : "MODIFIED", object);
  }

  private void end(String key, String kind) {
    ObjectNode object = objects.remove(key);
    if (object != null) {
      object.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
      tell(kind, "DELETED", object);
    }
  }

  private void tell(String kind, String type, ObjectNode object) {
    ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", type);
    event.set("object", object.deepCopy());
    history.add(new Event(version, kind, object.deepCopy(), event.toString()));
    watchers.stream()
        .filter(it -> it.kind().equals(kind) && it.selects().test(object))
        .forEach(it -> it.events().add(event.toString()));
  }

  synchronized BlockingQueue<String> watch(URI uri) {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Watcher watcher = new Watcher(Target.of(uri).kind(), selection(uri), events);
    Matcher since = SINCE.matcher(uri.getRawQuery());
    long after = since.find() ? Long.parseLong(since.group(1)) : version;
    if (after < forgotten) {
      events.add(EXPIRED);
      return events;
    }
    history.stream()
        .filter(it -> it.version() > after && it.kind().equals(watcher.kind()))
        .filter(it -> watcher.selects().test(it.object()))
        .forEach(it -> events.add(it.text()));
    watchers.add(watcher);
    return events;
  }

  private static Predicate<JsonNode> selection(URI uri) {
    Predicate<JsonNode> all = _ -> true;
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    for (String part : query.split("&", -1)) {
      String[] pair = URLDecoder.decode(part, UTF_8).split("=", 3);
      if (pair[0].equals("labelSelector")) {
        all =
            all.and(
                it -> it.path("metadata").path("labels").path(pair[1]).asText().equals(pair[2]));
      } else if (pair[0].equals("fieldSelector")) {
        all = all.and(it -> it.path("metadata").path("name").asText().equals(pair[2]));
      }
    }
    return all;
  }

  synchronized Answer answer(String method, URI uri, String body) {
    if (uri.getPath().equals("/apis")) {
      return new Answer(200, Map.of(), groups());
    }
    ArrayNode kinds = served.get(uri.getPath().replace("/apis/", ""));
    if (kinds != null) {
      ObjectNode list = JsonNodeFactory.instance.objectNode();
      list.set("resources", kinds);
      return new Answer(200, Map.of(), list.toString());
    }
    Target target = Target.of(uri);
    if (method.equals("POST")) {
      return create(target, parse(body));
    }
    if (target.name().isEmpty()) {
      return list(target, selection(uri));
    }
    String key = target.key(target.name());
    ObjectNode object = objects.get(key);
    if (object == null) {
      return Answer.of(404, target.name() + " not found");
    }
    return switch (method) {
      case "GET" -> new Answer(200, Map.of(), object.toString());
      case "PATCH" -> patch(key, target.kind(), object, parse(body));
      case "DELETE" -> delete(key, target.kind(), object, parse(body));
      default -> Answer.of(405, method);
    };
  }

  private Answer create(Target target, ObjectNode object) {
    String key = target.key(object.at("/metadata/name").asText());
    if (objects.containsKey(key)) {
      return Answer.of(409, "already exists");
    }
    store(key, target.kind(), object);
    return new Answer(201, Map.of(), object.toString());
  }

  private Answer list(Target target, Predicate<JsonNode> selects) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.putObject("metadata").put("resourceVersion", Long.toString(version));
    ArrayNode items = list.putArray("items");
    String start = target.namespace().isEmpty() ? target.kind() + " " : target.key("");
    objects.forEach(
        (key, object) -> {
          if (key.startsWith(start) && selects.test(object)) {
            items.add(object.deepCopy());
          }
        });
    return new Answer(200, Map.of(), list.toString());
  }

  private Answer patch(String key, String kind, ObjectNode object, ObjectNode patch) {
    String wanted = patch.at("/metadata/resourceVersion").asText("");
    if (!wanted.isEmpty() && !wanted.equals(object.at("/metadata/resourceVersion").asText())) {
      return Answer.of(409, "the object has been modified");
    }
    ObjectNode changed = object.deepCopy();
    merge(changed, patch);
    store(key, kind, changed);
    if (isOver(changed)) {
      end(key, kind);
    }
    return new Answer(200, Map.of(), changed.toString());
  }

  private static boolean isOver(ObjectNode object) {
    return object.at("/metadata/deletionTimestamp").isTextual()
        && object.at("/metadata/finalizers").isEmpty();
  }

  private static void merge(ObjectNode into, JsonNode patch) {
    patch
        .properties()
        .forEach(
            it -> {
              if (it.getValue().isNull()) {
                into.remove(it.getKey());
              } else if (it.getValue().isObject()) {
                merge(into.withObjectProperty(it.getKey()), it.getValue());
              } else {
                into.set(it.getKey(), it.getValue());
              }
            });
  }

  private Answer delete(String key, String kind, ObjectNode object, JsonNode options) {
    String uid = options.at("/preconditions/uid").asText("");
    if (!uid.isEmpty() && !uid.equals(object.at("/metadata/uid").asText())) {
      return Answer.of(409, "the uid is another");
    }
    if (object.at("/metadata/finalizers").isEmpty()) {
      end(key, kind);
    } else {
      ObjectNode leaving = object.deepCopy();
      leaving.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T10:00:00Z");
      store(key, kind, leaving);
    }
    return new Answer(200, Map.of(), object.toString());
  }
}
