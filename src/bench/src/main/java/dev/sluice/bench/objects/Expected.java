package dev.sluice.bench.objects;

import dev.sluice.api.ApiVersion;

/** What the answer to a review should be. */
public sealed interface Expected {
  /** All objects, at this version. */
  record Converted(ApiVersion to) implements Expected {}

  /** A permission. */
  record Allowed() implements Expected {}
}
