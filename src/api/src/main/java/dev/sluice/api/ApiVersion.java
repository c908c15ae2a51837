package dev.sluice.api;

import java.util.Optional;

/** A version of the API group {@code kueue.x-k8s.io}; the constants are in order of age. */
public enum ApiVersion {
  V1ALPHA1("v1alpha1"),
  V1BETA1("v1beta1"),
  V1BETA2("v1beta2");

  /** The API group all our kinds belong to. */
  public static final String GROUP = "kueue.x-k8s.io";

  /** The API group of the configuration file. */
  public static final String CONFIGURATION_GROUP = "config." + GROUP;

  /** The version that is stored, and that rules and engine are written against. */
  public static final ApiVersion HUB = V1BETA2;

  private final String text;
  private final String groupVersion;

  ApiVersion(String text) {
    this.text = text;
    this.groupVersion = GROUP + "/" + text;
  }

  /** The version alone, such as {@code v1beta2}. */
  public String text() {
    return text;
  }

  /** The value of an object's {@code apiVersion}, such as {@code kueue.x-k8s.io/v1beta2}. */
  public String groupVersion() {
    return groupVersion;
  }

  /** The version whose {@link #groupVersion()} is exactly this text; empty for any other text. */
  public static Optional<ApiVersion> findByGroupVersion(String groupVersion) {
    for (ApiVersion version : values()) {
      if (version.groupVersion.equals(groupVersion)) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  /** The version with this short text, such as {@code v1beta2}; empty for any other text. */
  public static Optional<ApiVersion> findByText(String text) {
    for (ApiVersion version : values()) {
      if (version.text.equals(text)) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }
}
