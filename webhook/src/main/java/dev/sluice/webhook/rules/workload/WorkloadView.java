package dev.sluice.webhook.rules.workload;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.rules.Field;
import dev.sluice.rules.settings.Settings;
import dev.sluice.webhook.rules.conditions.Conditions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A Workload as rules read it. What is not there has the value that the schema gives it. */
record WorkloadView(Field root) {
  // more than the schema lets a Workload have
  static final int MAX_ITEMS = 64;

  private static final String DEFAULT_NAME = "main";

  Field status() {
    return root.child("status");
  }

  Field admission() {
    return status().child("admission");
  }

  List<Field> assignments() {
    return admission().child("podSetAssignments").items(MAX_ITEMS);
  }

  Field podSetList() {
    return root.child("spec").child("podSets");
  }

  List<Field> podSets() {
    return podSetList().items(MAX_ITEMS);
  }

  /** The pod sets by name, in their order. */
  Map<String, Field> podSetsByName() {
    Map<String, Field> podSets = new LinkedHashMap<>();
    podSets().forEach(it -> podSets.putIfAbsent(name(it), it));
    return podSets;
  }

  static String name(Field named) {
    return named.child("name").text().orElse(DEFAULT_NAME);
  }

  static long count(Field podSet) {
    return podSet.child("count").integer().orElse(1L);
  }

  boolean isReserved() {
    return Conditions.isTrue(root, ConditionTypes.QUOTA_RESERVED);
  }

  boolean isEvicted() {
    return Conditions.isTrue(root, ConditionTypes.EVICTED);
  }

  Field annotation(String key) {
    return root.child("metadata").child("annotations").key(key);
  }

  Field elasticAnnotation() {
    return annotation(Annotations.ELASTIC_JOB);
  }

  Field replacementAnnotation() {
    return annotation(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR);
  }

  /** Whether its pods may become fewer and more while it runs. */
  boolean isElastic(Settings settings) {
    return settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && elasticAnnotation().text().orElse("").equals("true");
  }

  /** Whether it was admitted with more pods than the set has now. */
  boolean isScaledDown(String podSet, Settings settings) {
    Field set = podSetsByName().get(podSet);
    return isElastic(settings)
        && set != null
        && assignments().stream()
            .filter(it -> name(it).equals(podSet))
            .anyMatch(it -> it.child("count").integer().orElse(0L) > count(set));
  }

  /** An item of a list that clients know by its name; paths name it as the entry of a map. */
  static Field named(Field list, Field item) {
    return new Field(list.key(name(item)).path(), item.node());
  }
}
