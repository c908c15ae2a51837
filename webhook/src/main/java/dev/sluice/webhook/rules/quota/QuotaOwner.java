package dev.sluice.webhook.rules.quota;

/** The kinds that have resource groups, and what differs between them. */
public enum QuotaOwner {
  CLUSTER_QUEUE("cohortName", true),
  COHORT("parentName", false);

  private final String parentField;
  private final boolean limited;

  QuotaOwner(String parentField, boolean limited) {
    this.parentField = parentField;
    this.limited = limited;
  }

  /** The member of the spec that names the cohort to borrow from. */
  String parentField() {
    return parentField;
  }

  /**
   * Whether no more may be lent than the nominal quota, and the totals over all groups are limited;
   * otherwise the first is accepted and the second a warning.
   */
  boolean isLimited() {
    return limited;
  }
}
