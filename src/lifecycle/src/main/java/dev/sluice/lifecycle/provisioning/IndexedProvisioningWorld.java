package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.ProvisioningRequestConfig;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.lifecycle.store.ObjectCache;
import dev.sluice.lifecycle.store.ObjectIndex;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is watched, and what this process has deleted. Thread-safe; nothing waits. */
public final class IndexedProvisioningWorld implements ProvisioningWorld {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final GroupKind CHECK = ApiKind.ADMISSION_CHECK.groupKind();
  private static final GroupKind CONFIG = ApiKind.PROVISIONING_REQUEST_CONFIG.groupKind();
  private static final GroupKind REQUEST = ProvisioningKinds.REQUEST.groupKind();
  private static final GroupKind TEMPLATE = ProvisioningKinds.POD_TEMPLATE.groupKind();

  private final ObjectCache objects;
  private final ObjectIndex requestsByWorkload =
      new ObjectIndex(IndexedProvisioningWorld::workloads);
  private final ObjectIndex templatesByWorkload =
      new ObjectIndex(IndexedProvisioningWorld::workloads);
  private final ObjectIndex workloadsByCheck = new ObjectIndex(IndexedProvisioningWorld::checks);

  /**
   * The uids of objects whose deletion succeeded and that the watch still shows. An answer to such
   * a request must not count for the next one of the same name.
   */
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  /** Nothing is noted yet. */
  public IndexedProvisioningWorld(ObjectCache objects) {
    this.objects = objects;
  }

  /** The name of the Workload that controls an object, if one does. */
  private static Set<String> workloads(JsonNode object) {
    return ProvisioningRequest.workload(object)
        .map(it -> Set.of(new ObjectKey(namespace(object), it.name()).toString()))
        .orElse(Set.of());
  }

  private static String namespace(JsonNode object) {
    return object.path("metadata").path("namespace").asText();
  }

  private static Set<String> checks(JsonNode workload) {
    Set<String> names = new LinkedHashSet<>();
    workload
        .path("status")
        .path("admissionChecks")
        .forEach(it -> names.add(it.path("name").asText()));
    return names;
  }

  /** Takes note of a change; call this before {@link #concernedBy}. */
  public void note(GroupKind kind, ObjectChange change) {
    if (kind.equals(WORKLOAD)) {
      workloadsByCheck.note(change);
    } else if (kind.equals(REQUEST)) {
      requestsByWorkload.note(change);
    } else if (kind.equals(TEMPLATE)) {
      templatesByWorkload.note(change);
    }
    if (change.after().isEmpty() && (kind.equals(REQUEST) || kind.equals(TEMPLATE))) {
      deleted.remove(uid(change.latest()));
    }
  }

  /** The Workloads to reconcile after that change. */
  public Set<ObjectKey> concernedBy(GroupKind kind, ObjectChange change) {
    Set<ObjectKey> concerned = new LinkedHashSet<>();
    JsonNode latest = change.latest();
    if (kind.equals(WORKLOAD)) {
      ObjectKey key = ObjectKey.of(latest);
      if (!checks(latest).isEmpty() || !requestsOf(key).isEmpty()) {
        concerned.add(key);
      }
    } else if (kind.equals(REQUEST) || kind.equals(TEMPLATE)) {
      change.before().ifPresent(it -> workloadOf(it).ifPresent(concerned::add));
      change.after().ifPresent(it -> workloadOf(it).ifPresent(concerned::add));
    } else if (kind.equals(CHECK)) {
      concerned.addAll(workloadsByCheck.find(ObjectKey.of(latest).name()));
    } else if (kind.equals(CONFIG)) {
      for (String check : checksWith(ObjectKey.of(latest).name())) {
        concerned.addAll(workloadsByCheck.find(check));
      }
    }
    return concerned;
  }

  /** All Workloads with checks, and all with requests. */
  public Set<ObjectKey> everything() {
    Set<ObjectKey> all = new LinkedHashSet<>();
    objects.all(WORKLOAD).stream()
        .filter(it -> !checks(it).isEmpty())
        .forEach(it -> all.add(ObjectKey.of(it)));
    objects.all(REQUEST).forEach(it -> workloadOf(it).ifPresent(all::add));
    objects.all(TEMPLATE).forEach(it -> workloadOf(it).ifPresent(all::add));
    return all;
  }

  /** The Workload that an object is for, also by way of a request. */
  private Optional<ObjectKey> workloadOf(JsonNode object) {
    return JobObject.of(object)
        .controller()
        .flatMap(
            owner -> {
              ObjectKey key = new ObjectKey(namespace(object), owner.name());
              if (owner.kind().equals(WORKLOAD)) {
                return Optional.of(key);
              }
              return owner.kind().equals(REQUEST)
                  ? request(key).flatMap(this::workloadOf)
                  : Optional.empty();
            });
  }

  /** The AdmissionChecks of this controller that name that configuration. */
  public List<String> checksWith(String config) {
    return objects.all(CHECK).stream()
        .flatMap(it -> typed(AdmissionCheck.class, it).stream())
        .filter(CheckActivity::isOurs)
        .filter(
            it -> it.spec().parameters() != null && it.spec().parameters().name().equals(config))
        .map(it -> it.metadata().name())
        .toList();
  }

  /** The AdmissionCheck of that name if it is one of this controller. */
  public Optional<AdmissionCheck> ownCheck(String name) {
    return objects
        .find(CHECK, "", name)
        .flatMap(it -> typed(AdmissionCheck.class, it))
        .filter(CheckActivity::isOurs);
  }

  /** How that check of this controller is. */
  public CheckActivity activity(AdmissionCheck check) {
    return CheckActivity.of(
        check,
        objects.knows(REQUEST),
        name ->
            objects
                .find(CONFIG, "", name)
                .flatMap(it -> typed(ProvisioningRequestConfig.class, it)));
  }

  private static <T> Optional<T> typed(Class<T> type, JsonNode object) {
    try {
      return Optional.of(HubObjects.read(type, object));
    } catch (MalformedObjectException _) {
      return Optional.empty(); // treated as missing until it is corrected
    }
  }

  @Override
  public Optional<CheckActivity> check(String name) {
    return ownCheck(name).map(this::activity);
  }

  @Override
  public Optional<JsonNode> flavor(String name) {
    return objects.find(ApiKind.RESOURCE_FLAVOR.groupKind(), "", name);
  }

  @Override
  public Optional<JsonNode> request(ObjectKey name) {
    return find(REQUEST, name);
  }

  @Override
  public List<JsonNode> requestsOf(ObjectKey workload) {
    return owned(requestsByWorkload, REQUEST, workload);
  }

  @Override
  public Optional<JsonNode> template(ObjectKey name) {
    return find(TEMPLATE, name);
  }

  @Override
  public List<JsonNode> templatesOfWorkload(ObjectKey workload) {
    return owned(templatesByWorkload, TEMPLATE, workload);
  }

  /** An index follows the watch; what was just written may have another owner already. */
  private List<JsonNode> owned(ObjectIndex index, GroupKind kind, ObjectKey workload) {
    String owner = workload.toString();
    return index.find(owner).stream()
        .flatMap(it -> find(kind, it).stream())
        .filter(it -> workloads(it).contains(owner))
        .toList();
  }

  private Optional<JsonNode> find(GroupKind kind, ObjectKey key) {
    return objects.find(kind, key.namespace(), key.name());
  }

  @Override
  public boolean knowsRequestsBefore(JsonNode object) {
    String version = object.path("metadata").path("resourceVersion").asText();
    return ResourceVersion.number(version).orElse(Long.MAX_VALUE) <= objects.reached(REQUEST);
  }

  @Override
  public boolean isLeaving(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp") || deleted.contains(uid(object));
  }

  /** The API server has deleted the object, or will once its finalizers are gone. */
  public void deleted(ObjectRef object) {
    deleted.add(object.uid());
    ObjectKey key = new ObjectKey(object.namespace(), object.name());
    boolean isShown =
        find(object.kind().groupKind(), key).filter(it -> uid(it).equals(object.uid())).isPresent();
    if (!isShown) {
      deleted.remove(object.uid()); // the watch was faster; no other event would remove it
    }
  }

  private static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText();
  }
}
