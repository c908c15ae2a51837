package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.BINARY_MISSING;
import static dev.sluice.controlplane.ControlPlaneException.Reason.GO_MISSING;

import dev.sluice.controlplane.ControlPlane.Part;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the programs of a control plane are.
 *
 * <p>The folder that {@code KUBEBUILDER_ASSETS} names, if it is set; otherwise a folder of the
 * user's cache ({@code SLUICE_CACHE}, or {@code sluice} in {@code XDG_CACHE_HOME} or {@code
 * ~/.cache}), into which they are built by Go the first time. Immutable and safe for many threads.
 */
public final class Binaries {
  private final Map<String, String> environment;
  private final Path home;
  private final Progress progress;

  Binaries(Map<String, String> environment, Path home, Progress progress) {
    this.environment = Map.copyOf(environment);
    this.home = home;
    this.progress = progress;
  }

  /** Reads this process's environment; progress of a build goes to standard error. */
  public static Binaries ofThisProcess() {
    return new Binaries(
        System.getenv(), Path.of(System.getProperty("user.home")), Progress.onStandardError());
  }

  /**
   * What stands in the way of having these programs, as one sentence that says what to install;
   * empty if they are there or can be built. Builds nothing.
   */
  public Optional<String> obstacle(Set<Part> parts) {
    if (missing(folder(), parts).isEmpty()) {
      return Optional.empty();
    }
    if (assets().isPresent()) {
      return Optional.of(notInAssets(parts));
    }
    return findGo().isPresent() ? Optional.empty() : Optional.of(withoutGo(parts));
  }

  /** Whether a folder of binaries was named, so that anything missing is the caller's mistake. */
  public boolean isFolderNamed() {
    return assets().isPresent();
  }

  /**
   * The folder in which these programs are, built if need be. That takes minutes the first time and
   * is given up after forty for each program.
   *
   * @throws ControlPlaneException with reason BINARY_MISSING, GO_MISSING, BUILD_FAILED, TIMED_OUT
   *     or FILES
   */
  public Path obtain(Set<Part> parts) {
    List<Part> missing = missing(folder(), parts);
    if (missing.isEmpty()) {
      return folder();
    }
    if (assets().isPresent()) {
      throw new ControlPlaneException(BINARY_MISSING, notInAssets(parts));
    }
    Path go = findGo().orElseThrow(() -> new ControlPlaneException(GO_MISSING, withoutGo(parts)));
    new GoBuild(go, folder(), progress).build(missing);
    return folder();
  }

  private Path folder() {
    return assets().orElseGet(() -> cache().resolve("control-plane").resolve(GoModule.digest()));
  }

  private Optional<Path> assets() {
    return variable("KUBEBUILDER_ASSETS").map(Path::of);
  }

  private Path cache() {
    return cache(environment, home);
  }

  /** Where Sluice keeps what it can make again, for a user with that environment and home. */
  static Path cache(Map<String, String> environment, Path home) {
    return variable(environment, "SLUICE_CACHE")
        .map(Path::of)
        .orElseGet(
            () ->
                variable(environment, "XDG_CACHE_HOME")
                    .map(Path::of)
                    .orElseGet(() -> home.resolve(".cache"))
                    .resolve("sluice"));
  }

  private Optional<String> variable(String name) {
    return variable(environment, name);
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  private static List<Part> missing(Path folder, Set<Part> parts) {
    return parts.stream()
        .filter(part -> !Files.isExecutable(folder.resolve(part.program())))
        .sorted()
        .toList();
  }

  private Optional<Path> findGo() {
    return variable("PATH").stream()
        .flatMap(list -> Arrays.stream(list.split(File.pathSeparator, -1)))
        .filter(entry -> !entry.isEmpty())
        .map(folder -> Path.of(folder, "go"))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private String notInAssets(Set<Part> parts) {
    return "KUBEBUILDER_ASSETS names %s, which does not hold %s"
        .formatted(folder(), names(missing(folder(), parts)));
  }

  private String withoutGo(Set<Part> parts) {
    return ("install Go 1.26 or newer (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder"
            + " that holds %s: a control plane needs them")
        .formatted(names(missing(folder(), parts)));
  }

  private static String names(List<Part> parts) {
    return String.join(", ", parts.stream().map(Part::program).toList());
  }
}
