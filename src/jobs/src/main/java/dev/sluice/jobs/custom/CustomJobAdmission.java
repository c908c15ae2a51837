package dev.sluice.jobs.custom;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.settings.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind without code of its own: the configuration names the field that suspends it, or its Pod
 * templates. The Pods of a kind without such a field are queued one by one: their templates get its
 * queue.
 *
 * @param custom the kind in the configuration
 */
public record CustomJobAdmission(CustomKind custom) implements SuspendableKind {
  @Override
  public GroupVersionKind kind() {
    return custom.type();
  }

  @Override
  public String framework() {
    return custom.type().group() + "/" + custom.type().kind().toLowerCase(Locale.ROOT);
  }

  /** A configured custom kind is always managed. */
  @Override
  public boolean isOn(Settings settings) {
    return true;
  }

  /** An object queued by its templates keeps their labels when a user applies it again. */
  @Override
  public Set<Operation> defaultedOn() {
    return custom.suspendPath().isPresent()
        ? Set.of(Operation.CREATE)
        : Set.of(Operation.CREATE, Operation.UPDATE);
  }

  @Override
  public List<String> suspendPath() {
    return custom.suspendPath().map(ObjectPath::steps).orElse(List.of());
  }

  @Override
  public boolean canBeSuspended(JobObject job) {
    return custom.suspendPath().isPresent();
  }

  @Override
  public boolean isQueuedByWhatItOwns() {
    return custom.suspendPath().isEmpty();
  }

  /** Without a switch its Pods wait one by one, so its queue may change at any time. */
  @Override
  public boolean isSuspended(JobObject job) {
    return custom.suspendPath().isEmpty()
        || custom.suspendPath().stream()
            .flatMap(path -> path.find(job.root().node()).stream())
            .anyMatch(place -> place.node().equals(BooleanNode.TRUE));
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return custom.managedByPath().map(path -> new ManagedBy(path.steps(), ""));
  }

  @Override
  public Grouping grouping() {
    return Grouping.WARNED_OF;
  }

  @Override
  public List<Field> templates(Field root) {
    return places(root).map(it -> it.child("metadata")).toList();
  }

  private Stream<Field> places(Field root) {
    return custom.podTemplatePaths().stream()
        .flatMap(path -> path.find(root.node()).stream())
        .map(place -> new Field(place.path(), place.node()));
  }

  /** How many Pods a template is for is not known, so that is not spoken of. */
  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return places(job.root()).map(it -> PodSet.of(it.path(), it, 0)).toList();
  }

  @Override
  public void setOwn(JobReview review, PatchRecorder draft) {
    JobObject job = Defaults.job(draft);
    if (custom.suspendPath().isPresent() || !review.isManagedHere(job)) {
      return;
    }
    for (ObjectPath path : custom.podTemplatePaths()) {
      for (String[] template : TemplatePaths.of(path, draft.root().node())) {
        Defaults.templateLabel(draft, Labels.QUEUE_NAME, job.queueName(), template);
        Defaults.templateLabel(
            draft, Labels.PRIORITY_CLASS, job.labelText(Labels.PRIORITY_CLASS), template);
      }
    }
  }
}
