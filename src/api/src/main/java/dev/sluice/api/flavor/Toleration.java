package dev.sluice.api.flavor;

import org.jspecify.annotations.Nullable;

/** Which taints a pod puts up with; without a key all, without an effect every effect. */
public record Toleration(
    @Nullable String key,
    @Nullable String operator,
    @Nullable String value,
    @Nullable String effect,
    @Nullable Long tolerationSeconds) {}
