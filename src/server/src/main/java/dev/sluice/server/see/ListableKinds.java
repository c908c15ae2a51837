package dev.sluice.server.see;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedKind.Selection;
import dev.sluice.scheduler.store.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of the kinds a user may list, found out by asking for one object of each.
 *
 * @param kinds those to follow, some of them in one namespace only
 * @param lacking those that cannot be followed as a whole, in the same order
 */
record ListableKinds(List<WatchedKind> kinds, List<Lacking> lacking) {
  private static final Duration BOUND = Duration.ofSeconds(10);

  private static final String TRAINER = Framework.TRAIN_JOB.type().group();

  private static final Set<GroupKind> IN_NAMESPACES =
      Set.of(
          ApiKind.LOCAL_QUEUE.groupKind(),
          ApiKind.WORKLOAD.groupKind(),
          Kinds.LIMIT_RANGE,
          Kinds.POD,
          Kinds.RESOURCE_CLAIM_TEMPLATE,
          new GroupKind(TRAINER, "TrainingRuntime"));

  /** The groups of kinds that other software brings. */
  private static final Set<String> OF_OTHERS = Set.of(TRAINER);

  private static final Set<GroupKind> ACTIVATING =
      Set.of(
          ApiKind.RESOURCE_FLAVOR.groupKind(),
          ApiKind.TOPOLOGY.groupKind(),
          ApiKind.ADMISSION_CHECK.groupKind());

  /** Without these there is nothing to show. */
  private static final Set<GroupKind> NEEDED =
      Set.of(ApiKind.CLUSTER_QUEUE.groupKind(), ApiKind.WORKLOAD.groupKind());

  ListableKinds {
    kinds = List.copyOf(kinds);
    lacking = List.copyOf(lacking);
  }

  /**
   * A kind that is not known, or only in part.
   *
   * @param plural as URLs name it
   * @param why a phrase, such as that the user may not list it
   */
  record Lacking(String plural, String why) {}

  /**
   * Asks for each of the kinds.
   *
   * @param namespace where to look if a user may not list a kind in all namespaces; null for none
   * @throws ConnectionException if the API server does not answer, or does not know the user
   */
  static ListableKinds of(
      Connection connection, List<WatchedKind> wanted, @Nullable String namespace) {
    List<WatchedKind> kinds = new ArrayList<>();
    List<Lacking> lacking = new ArrayList<>();
    for (WatchedKind kind : wanted) {
      String plural = kind.plural().orElse(kind.kind().kind());
      Optional<String> refusal = refusal(connection, kind, plural, Selection.ALL);
      Selection part =
          refusal.isEmpty() || namespace == null || !IN_NAMESPACES.contains(kind.kind())
              ? null
              : Selection.inNamespace(namespace);
      if (refusal.isEmpty()) {
        kinds.add(kind);
      } else if (part != null && refusal(connection, kind, plural, part).isEmpty()) {
        kinds.add(
            new WatchedKind(kind.type(), kind.plural(), kind.keep(), kind.metadataOnly(), part));
        lacking.add(new Lacking(plural, "shown of namespace " + namespace + " only"));
      } else if (!isAbsent(kind, refusal.get())) {
        boolean activates = ACTIVATING.contains(kind.kind());
        lacking.add(
            new Lacking(
                plural,
                refusal.get()
                    + (activates ? ", so ClusterQueues that name them look inactive" : "")));
      }
    }
    return new ListableKinds(kinds, lacking);
  }

  /** Why objects of the kind cannot be listed there; empty if they can. */
  private static Optional<String> refusal(
      Connection connection, WatchedKind kind, String plural, Selection where) {
    String group = kind.type().group();
    String path =
        "%s/%s%s?limit=1"
            .formatted(
                group.isEmpty()
                    ? "/api/" + kind.type().version()
                    : "/apis/" + kind.type().apiVersion(),
                where.namespace().isEmpty() ? "" : "namespaces/" + where.namespace() + "/",
                plural);
    Connection.Answer answer = connection.getUnlessKnown(path, "", BOUND);
    return switch (answer.status()) {
      case 200 -> Optional.empty();
      case 401 -> throw Connection.refusal(401, answer.message());
      case 403 -> Optional.of("you may not list them");
      case 404 -> Optional.of(notServed(kind));
      default -> Optional.of("the API server answers with status " + answer.status());
    };
  }

  private static String notServed(WatchedKind kind) {
    return "not served at " + kind.type().apiVersion();
  }

  /** Whether there is nothing to show, since the software that brings the kind is not there. */
  private static boolean isAbsent(WatchedKind kind, String refusal) {
    return OF_OTHERS.contains(kind.kind().group()) && refusal.equals(notServed(kind));
  }

  /** Whether something can be shown. */
  boolean isEnough() {
    return kinds.stream().anyMatch(it -> NEEDED.contains(it.kind()));
  }
}
