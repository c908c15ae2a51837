package dev.sluice.scheduler.audit;

import java.util.List;

/**
 * What a look at the whole state found.
 *
 * @param complete whether all was looked at in the time there was
 * @param findings one sentence for each law that is broken
 */
public record AuditReport(boolean complete, List<String> findings) {
  public AuditReport {
    findings = List.copyOf(findings);
  }

  /** For people, a line for each finding after one that says how it went. */
  public String text() {
    String head =
        "%d findings%s"
            .formatted(findings.size(), complete ? "" : " so far; not all was looked at");
    return findings.isEmpty() ? head : head + "\n" + String.join("\n", findings);
  }
}
