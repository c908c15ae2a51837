package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.image.oci.Entry;
import dev.sluice.image.oci.ImageConfig;
import dev.sluice.image.oci.Layer;
import dev.sluice.image.oci.OciArchive;
import dev.sluice.image.oci.WrittenImage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Builds an image, step by step, in a folder of its own that is gone afterwards. */
public final class ImageBuild {
  /** The only architecture whose parts are at hand. */
  public static final String ARCHITECTURE = "amd64";

  private static final String HOME = "opt/sluice";
  private static final String PROGRAM = "sluice-server.jar";
  private static final String BILL = "sluice-server.cdx.json";
  private static final String OURS = "sluice-";
  private static final String CACHE = "start.jsa";
  private static final int USER = 65532;
  private static final int PRIVATE = 0700;
  private static final int ANYBODY = 01777;

  private final ImageRequest request;
  private final Consumer<String> progress;
  private final Path work;
  private final Path stage;
  private final Tool tool;

  private ImageBuild(ImageRequest request, Consumer<String> progress, Path work) {
    this.request = request;
    this.progress = progress;
    this.work = work;
    this.stage = work.resolve("root").resolve(HOME);
    this.tool = new Tool(work);
  }

  /**
   * Builds an image and writes the archive, and beside it the bill of materials and the provenance.
   *
   * @param progress told each step when it begins
   * @throws ImageException if it cannot be built, with the reason
   */
  public static BuiltImage build(ImageRequest request, Consumer<String> progress)
      throws IOException {
    return inWorkFolder(request, progress, ImageBuild::assemble);
  }

  /**
   * Starts both roles with an empty cluster and returns the classes that they load.
   *
   * @param progress told each step when it begins
   */
  public static SortedSet<String> record(ImageRequest request, Consumer<String> progress)
      throws IOException {
    return inWorkFolder(request, progress, ImageBuild::rehearse);
  }

  private interface Task<T> {
    T run(ImageBuild build) throws IOException;
  }

  /** The path stands in the file of classes, so it must be the same in each build. */
  private static <T> T inWorkFolder(ImageRequest request, Consumer<String> progress, Task<T> task)
      throws IOException {
    Path shared = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
    Path work = shared.resolve("sluice-image");
    try (FileChannel file = FileChannel.open(shared.resolve("sluice-image.lock"), CREATE, WRITE);
        FileLock held = file.tryLock()) {
      if (held == null) {
        throw new ImageException(work + ": in use by another build of an image");
      }
      delete(work); // what a build that was killed has left
      Files.createDirectory(work);
      try {
        return task.run(new ImageBuild(request, progress, work));
      } finally {
        delete(work);
      }
    }
  }

  private BuiltImage assemble() throws IOException {
    Path billOfProgram = request.program().resolve(BILL);
    if (!Files.isRegularFile(billOfProgram)) {
      throw new ImageException(billOfProgram + ": not there (expected: a packaged server)");
    }
    Instant created = created();
    stageProgram(created);
    SortedSet<String> modules = linkRuntime(created);
    boolean cached = request.startCaches();
    if (cached) {
      progress.accept("storing classes loaded and linked");
      new StartCache(tool, java()).write(StartClasses.kept(), program(), stage.resolve(CACHE));
    }
    LinkedRuntime.dropListForDumps(stage.resolve("runtime"));
    progress.accept("collecting the files of Debian");
    DebianFiles debian = new DebianFiles(tool, request.base());
    List<Layer> layers = layers(debian, cached);
    progress.accept("writing " + request.output());
    WrittenImage image =
        OciArchive.write(
            request.output(),
            config(created),
            layers,
            Files.createDirectories(work.resolve("layers")));
    Ingredients ingredients =
        new Ingredients(
            created,
            jars(request.program()),
            modules,
            Runtime.version().toString(),
            debian.used(),
            SourceRevision.around(request.program(), tool));
    return new BuiltImage(
        image,
        request.output(),
        beside(".cdx.json", BillOfMaterials.of(billOfProgram, request, ingredients)),
        beside(".provenance.json", Provenance.of(image.digest(), request, ingredients)));
  }

  private SortedSet<String> rehearse() throws IOException {
    Instant created = created();
    stageProgram(created);
    linkRuntime(created);
    progress.accept("starting both roles");
    return StartClasses.record(java(), program(), work);
  }

  private Path java() {
    return stage.resolve("runtime/bin/java");
  }

  private Path program() {
    return stage.resolve(PROGRAM);
  }

  /** The time in the jar is that of the build, the same for every build of a commit. */
  private Instant created() throws IOException {
    if (request.created().isPresent()) {
      return request.created().get();
    }
    Path jar = request.program().resolve(PROGRAM);
    if (!Files.isRegularFile(jar)) {
      throw new ImageException(jar + ": not there (expected: a packaged server)");
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      ZipEntry manifest = file.getEntry(JarFile.MANIFEST_NAME);
      if (manifest == null) {
        throw new ImageException(jar + ": has no manifest (expected: a packaged server)");
      }
      return manifest.getTimeLocal().toInstant(ZoneOffset.UTC);
    }
  }

  /** Copies the program with the times of the image: the JVM compares them with its cache's. */
  private void stageProgram(Instant created) throws IOException {
    progress.accept("collecting the program");
    Files.createDirectories(stage.resolve("lib"));
    Files.copy(request.program().resolve(PROGRAM), program());
    try (Stream<Path> libraries = Files.list(request.program().resolve("lib"))) {
      for (Path library : libraries.toList()) {
        Files.copy(library, stage.resolve("lib").resolve(library.getFileName().toString()));
      }
    }
    LocalVariables.remove(jars());
    WholeJar.replaceByTwo(program(), OURS);
    date(stage, created);
  }

  private SortedSet<String> linkRuntime(Instant created) throws IOException {
    LinkedRuntime linked = new LinkedRuntime(tool, request.jdk());
    progress.accept("finding the modules that the program needs");
    SortedSet<String> modules = LinkedRuntime.modules(jars());
    progress.accept("linking a runtime of " + String.join(", ", modules));
    linked.link(modules, stage.resolve("runtime"));
    date(stage, created);
    return modules;
  }

  private static void date(Path folder, Instant time) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.setLastModifiedTime(file, FileTime.from(time));
        }
      }
    }
  }

  private List<Path> jars() throws IOException {
    return jars(stage);
  }

  /** The jars in the folder of a packaged program. */
  private static List<Path> jars(Path folder) throws IOException {
    List<Path> jars = new ArrayList<>(List.of(folder.resolve(PROGRAM)));
    try (Stream<Path> libraries = Files.list(folder.resolve("lib"))) {
      libraries.sorted().forEach(jars::add);
    }
    return jars;
  }

  /** From what changes least to what changes most. */
  private List<Layer> layers(DebianFiles debian, boolean cached) throws IOException {
    Layer base = new Layer("base");
    debian.addTo(base);
    addSystem(base);
    Layer runtime = new Layer("runtime").addTree(HOME + "/runtime", stage.resolve("runtime"));
    Layer libraries = new Layer("libraries");
    Layer program = new Layer("program");
    for (Path jar : jars()) {
      String name = jar.getFileName().toString();
      Layer layer = name.startsWith(OURS) ? program : libraries;
      layer.add(new Entry.Copy(HOME + "/" + stage.relativize(jar), jar, false));
    }
    for (Role role : Role.values()) {
      program.add(new Entry.Bytes(HOME + "/" + role.optionsFile(), options(role, cached)));
    }
    List<Layer> layers = new ArrayList<>(List.of(base, runtime, libraries, program));
    if (cached) {
      Entry cache = new Entry.Copy(HOME + "/" + CACHE, stage.resolve(CACHE), false);
      layers.add(new Layer("classes").add(cache));
    }
    return layers;
  }

  private static byte[] options(Role role, boolean cached) {
    Path home = Path.of("/", HOME);
    Optional<Path> cache = cached ? Optional.of(home.resolve(CACHE)) : Optional.empty();
    return (String.join("\n", role.lines(home.resolve(PROGRAM), cache)) + "\n").getBytes(UTF_8);
  }

  private static void addSystem(Layer base) {
    base.add(new Entry.Folder("tmp", ANYBODY, Entry.ROOT));
    base.add(new Entry.Folder("var/lib/sluice", PRIVATE, USER));
    base.add(new Entry.Folder("run/sluice", PRIVATE, USER));
    text(base, "etc/passwd", "root:x:0:0::/:/nonexistent", "sluice:x:65532:65532::/:/nonexistent");
    text(base, "etc/group", "root:x:0:", "sluice:x:65532:");
    text(base, "etc/nsswitch.conf", "passwd: files", "group: files", "hosts: files dns");
  }

  private static void text(Layer layer, String path, String... lines) {
    layer.add(new Entry.Bytes(path, (String.join("\n", lines) + "\n").getBytes(UTF_8)));
  }

  private ImageConfig config(Instant created) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("org.opencontainers.image.title", "Sluice");
    labels.put("org.opencontainers.image.licenses", "Apache-2.0");
    labels.put("org.opencontainers.image.version", version());
    return new ImageConfig(
        request.name(),
        request.architecture(),
        created,
        USER + ":" + USER,
        List.of("/" + HOME + "/runtime/bin/java", "@/" + HOME + "/" + Role.SERVE.optionsFile()),
        List.of("--help"),
        List.of(
            "MALLOC_ARENA_MAX=2", // as in the launcher
            "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"),
        List.of("8080/tcp", "9443/tcp"),
        labels);
  }

  private String version() {
    return request.name().substring(request.name().lastIndexOf(':') + 1);
  }

  private Path beside(String ending, JsonNode tree) throws IOException {
    Path file = request.output().resolveSibling(request.output().getFileName() + ending);
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, tree.toPrettyString() + "\n");
    return Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
