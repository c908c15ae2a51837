package dev.sluice.scheduler.audit;

import java.util.List;

/**
 * The result of an audit of the whole state.
 *
 * @param complete whether all was checked within the time limit
 * @param findings one sentence for each inconsistency
 */
public record AuditReport(boolean complete, List<String> findings) {
  public AuditReport {
    findings = List.copyOf(findings);
  }

  /** As text: a summary line, then a line for each finding. */
  public String text() {
    String head =
        "%d findings%s"
            .formatted(findings.size(), complete ? "" : " so far; not all was looked at");
    return findings.isEmpty() ? head : head + "\n" + String.join("\n", findings);
  }
}
