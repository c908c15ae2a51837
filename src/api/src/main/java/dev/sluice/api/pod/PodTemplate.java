package dev.sluice.api.pod;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;

/** What the pods of a set are made from: the part of it that decisions read. */
public record PodTemplate(@Default("{}") ObjectMeta metadata, @Default("{}") PodSpec spec) {}
