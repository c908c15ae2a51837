package dev.sluice.manifests.packages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.Monitoring;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.manifests.Target;
import dev.sluice.manifests.VisibilityServer;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The program that writes the Helm chart and the kustomize base. They are what {@code install}
 * prints, and depend on the manifests alone.
 */
public final class GeneratePackages {
  private static final String HEADER =
      """
      # Generated from what `sluice install` prints; do not edit. To make it anew:
      #   mvn -q -pl manifests -am process-classes -Dgenerate
      """;

  private static final String COMPONENT =
      """
      apiVersion: kustomize.config.k8s.io/v1alpha1
      kind: Component
      resources:
        - objects.yaml
      """;

  private static final String ANNOTATIONS = "forecast-annotations";

  /** The flag in a Deployment of the base, which the component cannot have a second time. */
  private static final String FLAG =
      """
      patches:
        - target:
            kind: Deployment
            name: sluice-see
          patch: |-
            - op: add
              path: /spec/template/spec/containers/0/args/-
              value: %s
      """
          .formatted(VisibilityServer.ANNOTATING_FLAG);

  private final Path manifests;

  /** A generator for the folder of the manifests, whose definitions are read from there. */
  public GeneratePackages(Path manifests) {
    this.manifests = manifests;
  }

  /**
   * Writes all files, and deletes those of an earlier version.
   *
   * @param args the folder of the manifests
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException(
          args.length + " arguments (expected: the folder of the manifests)");
    }
    Path folder = Path.of(args[0]);
    GeneratePackages packages = new GeneratePackages(folder);
    for (String stale : packages.stale()) {
      Files.delete(folder.resolve(stale));
    }
    for (Map.Entry<String, String> file : packages.files().entrySet()) {
      Path target = folder.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
  }

  /** The generated files: path below the folder to text, in order of path. */
  public Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    new Chart(definitions(), image())
        .files()
        .forEach((name, text) -> files.put("chart/" + name, withHeader(name, text)));
    files.put(
        "kustomize/install.yaml", HEADER + YamlWriter.writeAll(server(ServerConfiguration.NONE)));
    files.put("kustomization.yaml", HEADER + kustomization());
    components()
        .forEach(
            (name, documents) -> {
              files.put(
                  "kustomize/" + name + "/kustomization.yaml",
                  HEADER + COMPONENT + (name.equals(ANNOTATIONS) ? FLAG : ""));
              files.put(
                  "kustomize/" + name + "/objects.yaml", HEADER + YamlWriter.writeAll(documents));
            });
    return files;
  }

  /** Files in the folders of the packages that are not generated any more; sorted. */
  List<String> stale() throws IOException {
    List<String> stale = new ArrayList<>();
    for (String generated : List.of("chart", "kustomize")) {
      Path folder = manifests.resolve(generated);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> all = Files.walk(folder)) {
          all.filter(Files::isRegularFile)
              .map(it -> generated + "/" + folder.relativize(it).toString().replace('\\', '/'))
              .forEach(stale::add);
        }
      }
    }
    stale.removeAll(files().keySet());
    Collections.sort(stale);
    return stale;
  }

  private static String withHeader(String name, String text) {
    return name.endsWith(".yaml") ? HEADER + text : text;
  }

  private List<ObjectNode> definitions() throws IOException {
    List<ObjectNode> definitions = new ArrayList<>();
    for (String file : definitionFiles()) {
      definitions.add(new YamlReader().read(file, Files.readString(manifests.resolve(file))));
    }
    return definitions;
  }

  private List<String> definitionFiles() throws IOException {
    try (var files = Files.list(manifests.resolve("crds"))) {
      return files.map(it -> "crds/" + it.getFileName()).sorted().toList();
    }
  }

  private static String image() {
    for (ObjectNode document : new Manifests().deployment()) {
      String image = document.at("/spec/template/spec/containers/0/image").asText();
      if (!image.isEmpty()) {
        return image;
      }
    }
    throw new IllegalStateException("no image in the packed manifests");
  }

  /** What choices of {@code install} add to the base, by the name of a component. */
  private static Map<String, List<ObjectNode>> components() {
    ServerConfiguration standard = ServerConfiguration.NONE;
    Map<String, List<ObjectNode>> components = new TreeMap<>();
    components.put("monitoring", server(standard.monitored(Monitoring.PLAIN)));
    components.put("visibility-apf", server(standard.showing(VisibilityServer.DEFAULT.bounded())));
    components.put(ANNOTATIONS, server(standard.showing(VisibilityServer.DEFAULT.annotating())));
    List<ObjectNode> base = server(standard);
    components.replaceAll(
        (_, documents) -> documents.stream().filter(it -> !base.contains(it)).toList());
    components.computeIfPresent(
        ANNOTATIONS, (_, documents) -> documents.stream().filter(it -> !isDeployment(it)).toList());
    return components;
  }

  private static boolean isDeployment(ObjectNode document) {
    return document.path("kind").asText().equals("Deployment");
  }

  /** All but the definitions, which kustomize reads from where they are. */
  private static List<ObjectNode> server(ServerConfiguration configuration) {
    return Installation.into(Target.Service.DEFAULT)
        .configuredBy(configuration)
        .documents()
        .stream()
        .filter(it -> !it.path("kind").asText().equals("CustomResourceDefinition"))
        .toList();
  }

  private String kustomization() throws IOException {
    StringBuilder text =
        new StringBuilder("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n");
    text.append("resources:\n");
    for (String file : definitionFiles()) {
      text.append("  - ").append(file).append('\n');
    }
    return text.append("  - kustomize/install.yaml\n").toString();
  }
}
