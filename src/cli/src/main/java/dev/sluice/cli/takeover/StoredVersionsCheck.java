package dev.sluice.cli.takeover;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.util.ArrayList;
import java.util.List;

/** Whether the CRDs of the other one will be accepted: each must still have what is stored. */
final class StoredVersionsCheck implements Check {
  /** Without the server nobody converts what is stored at an older version. */
  private static final String BEFORE_THE_STOP = "before Sluice is stopped: ";

  private final Cluster cluster;
  private final boolean back;
  private final String clusterArguments;

  /**
   * A check.
   *
   * @param back whether the way goes back to Kueue, whose CRDs have no {@code v1alpha1}
   * @param clusterArguments the options that lead to this cluster, for remedies
   */
  StoredVersionsCheck(Cluster cluster, boolean back, String clusterArguments) {
    this.cluster = cluster;
    this.back = back;
    this.clusterArguments = clusterArguments;
  }

  @Override
  public void check(Findings findings) {
    List<String> missing = new ArrayList<>();
    int hub = 0;
    for (ApiKind kind : ApiKind.values()) {
      String object = "crd/" + kind.crdName();
      Answer answer = cluster.get(StoredKind.definition(kind));
      if (answer.status() == 404) {
        missing.add(kind.toString());
      } else if (!answer.isSuccess()) {
        findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      } else {
        StoredKind stored = StoredKind.of(kind, answer.json());
        hub += stored(object, stored, findings) ? 1 : 0;
      }
    }
    if (hub > 0) {
      findings.ok("stored versions", hub + " kinds are stored at " + ApiVersion.HUB + " alone");
    }
    if (!missing.isEmpty()) {
      findings.ok("crds", "not there yet: " + String.join(", ", missing));
    }
  }

  private boolean stored(String object, StoredKind stored, Findings findings) {
    if (stored.isMigrated() && stored.storageVersion().equals(ApiVersion.HUB.text())) {
      return true;
    }
    String seen = "objects may be stored at " + String.join(", ", stored.storedVersions());
    String remedy = "sluice migrate --kind " + stored.kind() + clusterArguments;
    if (back && stored.storedVersions().contains(ApiVersion.V1ALPHA1.text())) {
      findings.error(
          object,
          seen + ", which Kueue's CRD does not have, so the API server refuses that CRD",
          BEFORE_THE_STOP + remedy);
    } else {
      findings.warning(
          object, seen, back ? BEFORE_THE_STOP + remedy : "after the switch: " + remedy);
    }
    return false;
  }
}
