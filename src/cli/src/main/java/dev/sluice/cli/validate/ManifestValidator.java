package dev.sluice.cli.validate;

import dev.sluice.cli.progress.FileProgress;
import dev.sluice.server.objects.ManifestObject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks the objects of many manifests on all processors; what is found stays in their order. */
final class ManifestValidator {
  private final OfflineAdmission admission;

  /**
   * What was found.
   *
   * @param objects how many objects were checked
   */
  record Result(int objects, List<Finding> findings) {
    long violations() {
      return findings.stream().filter(Finding::refuses).count();
    }

    long warnings() {
      return findings.size() - violations();
    }
  }

  ManifestValidator(OfflineAdmission admission) {
    this.admission = admission;
  }

  /** Checks the objects that have a schema or rules. */
  Result validate(List<ManifestObject> objects) {
    AtomicInteger checked = new AtomicInteger();
    try (FileProgress progress = FileProgress.overObjects("validate", objects.size())) {
      List<Finding> findings =
          objects.parallelStream()
              .map(
                  object -> {
                    List<Finding> found = findings(object, checked);
                    progress.step();
                    return found;
                  })
              .flatMap(List::stream)
              .toList();
      return new Result(checked.get(), findings);
    }
  }

  private List<Finding> findings(ManifestObject object, AtomicInteger checked) {
    Optional<Finding> unknown = IdentityCheck.check(object);
    if (unknown.isPresent()) {
      return List.of(unknown.get());
    }
    if (!admission.concerns(object)) {
      return List.of();
    }
    checked.incrementAndGet();
    return admission.check(object);
  }
}
