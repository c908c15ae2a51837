package dev.sluice.cli.doctor;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.check.Right;
import java.util.ArrayList;
import java.util.List;

/** Whether this user may do what the remedies ask for. */
final class RightsCheck implements Check {
  private static final String OBJECT = "your rights";

  private final Cluster cluster;

  RightsCheck(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Asks the API server. */
  @Override
  public void check(Findings findings) {
    Right.Lacking lacking = Right.lacking(neededToMigrate(), cluster);
    if (!lacking.problem().isEmpty()) {
      findings.warning(OBJECT, "cannot be checked: " + lacking.problem(), Remedies.RIGHTS);
    } else if (lacking.rights().isEmpty()) {
      findings.ok(OBJECT, "suffice for sluice migrate");
    } else {
      findings.warning(
          OBJECT, "are not enough for sluice migrate: " + lacking.text(), Remedies.RIGHTS);
    }
  }

  private static List<Right> neededToMigrate() {
    String crds = "customresourcedefinitions";
    List<Right> rights = new ArrayList<>();
    rights.add(new Right("get", "apiextensions.k8s.io", crds, ""));
    rights.add(new Right("patch", "apiextensions.k8s.io", crds, "status"));
    for (ApiKind kind : ApiKind.values()) {
      rights.add(new Right("list", ApiVersion.GROUP, kind.plural(), ""));
      rights.add(new Right("patch", ApiVersion.GROUP, kind.plural(), ""));
    }
    return rights;
  }
}
