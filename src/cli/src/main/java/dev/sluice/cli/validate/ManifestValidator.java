package dev.sluice.cli.validate;

import dev.sluice.cli.objects.ManifestObject;
import dev.sluice.cli.progress.FileProgress;
import java.util.List;

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

  /** Checks those of the objects that anybody asks something of. */
  Result validate(List<ManifestObject> objects) {
    List<ManifestObject> concerned = objects.stream().filter(admission::concerns).toList();
    try (FileProgress progress = FileProgress.overObjects("validate", concerned.size())) {
      List<Finding> findings =
          concerned.parallelStream()
              .map(
                  object -> {
                    List<Finding> found = admission.check(object);
                    progress.step();
                    return found;
                  })
              .flatMap(List::stream)
              .toList();
      return new Result(concerned.size(), findings);
    }
  }
}
