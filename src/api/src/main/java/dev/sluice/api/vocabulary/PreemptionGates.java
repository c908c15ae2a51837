package dev.sluice.api.vocabulary;

/** Gates that have to open before a Workload may preempt others. */
public final class PreemptionGates {
  /** Of variants, of which one after the other may. */
  public static final String CONCURRENT_ADMISSION = Domains.KUEUE + "concurrent-admission";

  private PreemptionGates() {}
}
