package dev.sluice.api.check;

import dev.sluice.api.meta.Default;

/** Where the kubeconfig of a worker cluster is. */
public record KubeConfig(String location, @Default("Secret") LocationType locationType) {}
