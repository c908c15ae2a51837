package dev.sluice.api.device;

import dev.sluice.api.meta.Property;
import org.jspecify.annotations.Nullable;

/** The value of an attribute: one of these, or of a type that is not known here. */
public record DeviceAttribute(
    @Nullable String string,
    @Property("int") @Nullable Long number,
    @Property("bool") @Nullable Boolean truth,
    @Nullable String version) {}
