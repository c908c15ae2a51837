package dev.sluice.webhook.rules.topology;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RequiredSpec;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.rules.view.ClusterView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a Topology must be: at least one level, each named by a label that a Node can carry and a
 * Workload can ask for, host names only at the bottom, and levels that hold still while anything
 * may be placed by them.
 */
public final class TopologyRules implements AdmissionRules {
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int MAX_LEVELS = 16;
  private static final int MAX_SHOWN = 5;
  // The fields of a Workload that ask for a level (required, preferred, slices) end at this length.
  private static final int MAX_REQUESTABLE_LABEL = 63;

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    if (RequiredSpec.isKept(input, "its levels", findings)) {
      Ratchet.check(input, findings, TopologyRules::checkLevels);
      input.oldRoot().ifPresent(old -> checkChange(levels(old), input, findings));
    }
  }

  private static Field spec(Field root) {
    return root.child("spec");
  }

  private static Field levels(Field root) {
    return spec(root).child("levels");
  }

  private static void checkLevels(Field root, ValidationResult findings) {
    if (RequiredSpec.isPresent(root, "levels", "a list of 1 to 16 levels, top first", findings)
        && spec(root).expectObject(findings)) {
      List<Field> levels = levels(root).requireItems(MAX_LEVELS, findings);
      checkLabels(levels, findings);
    }
  }

  private static void checkLabels(List<Field> levels, ValidationResult findings) {
    Set<String> seen = new HashSet<>();
    for (Field level : levels) {
      Optional<String> label =
          level.requireObject(findings)
              ? level.child("nodeLabel").requireText("the key of a Node label", findings)
              : Optional.empty();
      label.ifPresent(
          text -> {
            Field nodeLabel = level.child("nodeLabel");
            checkLabel(nodeLabel, text, findings);
            if (!seen.add(text)) {
              findings.add(FieldError.duplicate(nodeLabel));
            }
            if (text.equals(HOSTNAME) && !level.equals(levels.getLast())) {
              findings.add(FieldError.invalid(nodeLabel, "may only be the last, lowest level"));
            }
          });
    }
  }

  private static void checkLabel(Field nodeLabel, String label, ValidationResult findings) {
    List<String> problems = LabelKey.problems(label);
    for (String problem : problems) {
      findings.add(FieldError.invalid(nodeLabel, "must be the key of a Node label: " + problem));
    }
    if (problems.isEmpty() && label.length() > MAX_REQUESTABLE_LABEL) {
      findings.add(
          FieldError.invalid(
              nodeLabel,
              "must have at most 63 characters, prefix included, or no Workload can ask for this"
                  + " level; it has "
                  + label.length()));
    }
  }

  private static void checkChange(Field before, RuleInput input, ValidationResult findings) {
    Field after = levels(input.root());
    List<String> old = labels(before);
    List<String> now = labels(after);
    if (old.isEmpty() || now.isEmpty() || old.equals(now)) {
      return;
    }
    if (old.getLast().equals(HOSTNAME) && now.getLast().equals(HOSTNAME)) {
      warnOfChange(after, input, findings);
    } else {
      findings.add(
          FieldError.invalid(
              after,
              "may only change while "
                  + HOSTNAME
                  + " is the last level before and after; before: "
                  + ValueText.of(before.node())));
    }
  }

  private static void warnOfChange(Field levels, RuleInput input, ValidationResult findings) {
    GroupKind flavors = ApiKind.RESOURCE_FLAVOR.groupKind();
    ClusterView view = input.world().view();
    String users =
        view.list(flavors, "").stream()
            .filter(it -> it.path("spec").path("topologyName").asText().equals(name(input)))
            .limit(MAX_SHOWN)
            .map(it -> ValueText.quoted(it.path("metadata").path("name").asText()))
            .collect(Collectors.joining(", "));
    if (!users.isEmpty() || !view.knows(flavors)) {
      findings.warn(
          levels.path()
              + " changed: what is placed already stays placed by the levels before"
              + (users.isEmpty() ? "" : "; used by ResourceFlavor " + users));
    }
  }

  private static String name(RuleInput input) {
    return input.name().orElse("");
  }

  /** The labels of all levels, also of those beyond the limit; empty text for one without label. */
  private static List<String> labels(Field levels) {
    var labels = new ArrayList<String>();
    if (levels.node().isArray()) {
      for (JsonNode level : levels.node()) {
        labels.add(level.path("nodeLabel").asText());
      }
    }
    return labels;
  }
}
