package dev.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.process.Shell;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An image unpacked by the system's tar, whose programs run as in a container where this machine
 * allows it: in a root file system of their own that is read-only, as the user of the image. Where
 * it does not, they run in the file system of this machine, with the runtime of the image.
 */
final class UnpackedImage {
  private static final JsonMapper JSON = new JsonMapper();

  /** What a container has beside its image. The shell is that of this machine. */
  private static final String MOUNTS =
      """
      set -e
      root=$1; user=$2; shift 2
      mount --bind "$root" "$root"
      mount -t tmpfs tmpfs "$root/tmp"
      mount -t tmpfs -o mode=0777 tmpfs "$root/var/lib/sluice"
      mount --rbind /dev "$root/dev"
      mount -t proc proc "$root/proc"
      mount -o remount,ro,bind "$root"
      exec chroot --userspec="$user" "$root" "$@"
      """;

  private final Path folder;
  private final Path root;
  private final JsonNode configuration;
  private final boolean contained;

  private UnpackedImage(Path folder, Path root, JsonNode configuration, boolean contained) {
    this.folder = folder;
    this.root = root;
    this.configuration = configuration;
    this.contained = contained;
  }

  static UnpackedImage of(Path archive, Path folder) throws Exception {
    Path layout = Files.createDirectories(folder.resolve("layout"));
    Path root = Files.createDirectories(folder.resolve("root"));
    run(folder, "tar", "-xf", archive.toString(), "-C", layout.toString());
    JsonNode image = JSON.readTree(layout.resolve("manifest.json").toFile()).get(0);
    for (JsonNode layer : image.path("Layers")) {
      run(folder, "tar", "-xpzf", layout.resolve(layer.asText()).toString(), "-C", root.toString());
    }
    for (String mountPoint : List.of("proc", "dev")) { // container runtimes make these, too
      Files.createDirectories(root.resolve(mountPoint));
    }
    JsonNode configuration =
        JSON.readTree(layout.resolve(image.path("Config").asText()).toFile()).path("config");
    return new UnpackedImage(folder, root, configuration, mayMount(folder));
  }

  private static void run(Path folder, String program, String... args) throws Exception {
    Shell.Ran ran = Shell.run(Map.of(), folder, program, args);
    assertThat(ran.code()).as(ran.err()).isZero();
  }

  private static boolean mayMount(Path folder) throws Exception {
    if (!Shell.has("unshare") || !Shell.has("chroot")) {
      return false;
    }
    Path empty = Files.createDirectories(folder.resolve("empty"));
    String script = "mount -t tmpfs tmpfs '" + empty + "'";
    return Shell.run(Map.of(), folder, "unshare", "--mount", "sh", "-c", script).code() == 0;
  }

  JsonNode configuration() {
    return configuration;
  }

  Path root() {
    return root;
  }

  /** Where the program may write, as it sees it. */
  String data() {
    return contained ? "/var/lib/sluice" : folder.resolve("data").toString();
  }

  /** Starts a container with these arguments; it gives the JVM the options in JDK_JAVA_OPTIONS. */
  Process start(List<String> entryPoint, String options, Path log, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (contained) {
      String user = configuration.path("User").asText();
      command.addAll(
          List.of("unshare", "--mount", "sh", "-c", MOUNTS, "sh", root.toString(), user));
      command.addAll(entryPoint);
    } else {
      command.addAll(entryPointHere(entryPoint));
    }
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()));
    builder.environment().put("JDK_JAVA_OPTIONS", options);
    return builder.start();
  }

  /** The same with the paths of this machine. */
  private List<String> entryPointHere(List<String> entryPoint) throws IOException {
    String below = root + "/opt/";
    Path options = Path.of(entryPoint.get(1).substring(1).replace("/opt/", below));
    Path here = folder.resolve(options.getFileName().toString());
    Files.writeString(here, Files.readString(options).replace("/opt/", below));
    return List.of(entryPoint.getFirst().replace("/opt/", below), "@" + here);
  }

  /** All files, relative to the root. */
  List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).map(it -> root.relativize(it).toString()).toList();
    }
  }
}
