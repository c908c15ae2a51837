package dev.sluice.server.see;

/** Says who may do what. Safe for many threads; a call may block while the API server is asked. */
@FunctionalInterface
interface Reviews {
  /** Whether the caller may do that. */
  AccessReviews.Verdict review(Caller caller, Attributes attributes);
}
