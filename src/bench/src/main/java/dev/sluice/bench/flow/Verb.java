package dev.sluice.bench.flow;

/** How the generator writes status: what Workloads are finished with costs the API server, too. */
public enum Verb {
  /** Server-side apply, as Kueue writes status; the dearer one. */
  APPLY,
  /** A merge patch. */
  MERGE
}
