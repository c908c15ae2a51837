package dev.sluice.cli.kinds;

import dev.sluice.api.configuration.Framework;

/** The definitions of the kinds of ray.io, with the fields that tests need. */
public final class RayDefinitions {
  private RayDefinitions() {}

  /** The CustomResourceDefinition of that kind, as YAML. */
  public static String of(Framework framework) {
    String spec =
        switch (framework) {
          case RAY_JOB -> Resources.text("kinds/ray-job.yaml");
          case RAY_SERVICE -> Resources.text("kinds/ray-service.yaml");
          default -> "CLUSTER";
        };
    return Resources.text("kinds/ray.yaml")
        .replace("SPEC", spec.replace("CLUSTER", Resources.text("kinds/ray-cluster.yaml")).strip())
        .replace("KIND", framework.type().kind())
        .replace("PLURAL", framework.plural());
  }
}
