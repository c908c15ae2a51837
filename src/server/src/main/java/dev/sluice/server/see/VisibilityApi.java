package dev.sluice.server.see;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.see.visibility.Page;
import dev.sluice.see.visibility.PendingWorkload;
import dev.sluice.see.visibility.PendingWorkloads;
import dev.sluice.server.reply.ContentTag;
import dev.sluice.server.reply.Reply;
import java.util.List;
import java.util.Optional;

/** The visibility API of Kueue, and what is read there. */
final class VisibilityApi {
  /** The subresource of a queue. */
  static final String PENDING = "pendingworkloads";

  /** The kind of the answer. */
  static final String SUMMARY = "PendingWorkloadsSummary";

  private static final String DESCRIPTION = "Lists the workloads that wait in the queue, in order.";
  private static final List<ApiParameter> PAGE = ApiParameter.numbers("limit", "offset");

  static final ApiGroup API =
      new ApiGroup(
          Domains.VISIBILITY,
          List.of("v1beta2", "v1beta1"),
          List.of(
              ApiResource.of(
                  "clusterqueues", "ClusterQueue", false, PENDING, SUMMARY, PAGE, DESCRIPTION),
              ApiResource.of(
                  "localqueues", "LocalQueue", true, PENDING, SUMMARY, PAGE, DESCRIPTION)),
          "io.x-k8s.kueue.visibility");

  private VisibilityApi() {}

  /** The workloads that wait in the queue, or why there are none. */
  static Reply read(Target.Resource queue, QueueState state, SeeRequest request) {
    return state.answer(request, () -> pending(queue, state, request));
  }

  private static Reply pending(Target.Resource queue, QueueState state, SeeRequest request) {
    Page page;
    try {
      page = Page.of(request.query().get("offset"), request.query().get("limit"));
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    Optional<List<PendingWorkload>> waiting =
        queue.namespace().isEmpty()
            ? PendingWorkloads.ofClusterQueue(state.snapshot(), queue.name(), page)
            : PendingWorkloads.ofLocalQueue(
                state.snapshot(), new ObjectKey(queue.namespace(), queue.name()), page);
    return waiting
        .map(
            workloads -> {
              byte[] summary = PendingWorkloadsSummary.write(queue.version(), workloads);
              return Reply.tagged(ContentTag.of(summary), summary);
            })
        .orElseGet(queue::notFound);
  }
}
