package dev.sluice.cli.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.ReportFormat;
import dev.sluice.image.Base;
import dev.sluice.image.BuiltImage;
import dev.sluice.image.ImageBuild;
import dev.sluice.image.ImageException;
import dev.sluice.image.ImageRequest;
import dev.sluice.image.oci.WrittenImage.WrittenLayer;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the container image of the server. */
@Command(
    name = "image",
    header = "Writes the container image of the server, without a container engine.",
    description = {
      "The archive is an OCI image layout: a Java runtime with the modules that the server needs,"
          + " the C",
      "library and the certificates of Debian, the server, and a file of classes that are loaded"
          + " and",
      "linked already. It has no shell, and its user is 65532. Two builds of one commit with one"
          + " JDK have",
      "one digest. Beside the archive are written FILE.cdx.json, its bill of materials, and",
      "FILE.provenance.json, what it was built of. SOURCE_DATE_EPOCH sets the time of all files."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice image -o sluice.tar",
      "  sluice image --output json",
      "  kind load image-archive sluice-image.tar",
      "  skopeo copy oci-archive:sluice-image.tar docker://REGISTRY/sluice:0.1.0"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ImageCommand implements Callable<Integer> {
  /** Where the launcher says what it has built. */
  private static final String BUILT = "sluice.server";

  private static final String EPOCH = "SOURCE_DATE_EPOCH";
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]+([._/-][a-z0-9]+)*:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Function<String, @Nullable String> environment;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output-file"},
      paramLabel = "FILE",
      defaultValue = "sluice-image.tar",
      description = "The archive (default: ${DEFAULT-VALUE}).")
  private Path file;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "How to report: text, json or yaml (default: ${DEFAULT-VALUE}).")
  private ReportFormat format;

  @Option(
      names = "--arch",
      paramLabel = "ARCHITECTURE",
      defaultValue = ImageBuild.ARCHITECTURE,
      description = "amd64 (default: ${DEFAULT-VALUE}).")
  private String architecture;

  @Option(
      names = "--name",
      paramLabel = "NAME:TAG",
      defaultValue = "sluice:0.1.0",
      description = "What the image is called (default: ${DEFAULT-VALUE}).")
  private String name;

  @Option(
      names = "--base",
      paramLabel = "VERSIONS",
      defaultValue = "PINNED",
      description =
          "pinned or installed: the versions of Debian's packages that this version of Sluice"
              + " names, or those of this machine (default: pinned).")
  private Base base;

  @Option(
      names = "--no-aot",
      description = "Leave out the file of linked classes: smaller, and slower to start.")
  private boolean noCache;

  @Option(
      names = "--application",
      paramLabel = "DIR",
      description = "The packaged server (default: that of this clone).")
  private @Nullable Path application;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      hidden = true,
      description = "Only record the classes that the roles load at start, for start.classes.")
  private @Nullable Path record;

  /** The command. */
  public ImageCommand() {
    this(System::getenv);
  }

  ImageCommand(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    ImageRequest request = request();
    try {
      if (record != null) {
        Files.write(record, ImageBuild.record(request, this::say));
        return 0;
      }
      BuiltImage built = ImageBuild.build(request, this::say);
      format.print(spec.commandLine().getOut(), text(built), tree(built));
      return 0;
    } catch (ImageException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private ImageRequest request() {
    if (!architecture.equals(ImageBuild.ARCHITECTURE)) {
      throw usage(
          architecture.equals("arm64")
              ? "--arch: arm64 cannot be built here: a runtime for it needs the modules of a JDK"
                  + " for arm64, and this JDK has its own only (expected: amd64)"
              : "--arch: %s (expected: amd64)".formatted(architecture));
    }
    if (!NAME.matcher(name).matches()) {
      throw usage("--name: %s (expected: NAME:TAG, such as sluice:0.1.0)".formatted(name));
    }
    return new ImageRequest(
        program().toAbsolutePath(),
        Path.of(System.getProperty("java.home")),
        file.toAbsolutePath(),
        name,
        architecture,
        base,
        !noCache,
        created());
  }

  private Path program() {
    String built = System.getProperty(BUILT);
    if (application == null && built == null) {
      throw usage("--application: missing (expected: a folder with sluice-server.jar)");
    }
    return application != null ? application : Path.of(built);
  }

  private Optional<Instant> created() {
    String epoch = environment.apply(EPOCH);
    if (epoch == null || epoch.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.ofEpochSecond(Long.parseLong(epoch)));
    } catch (NumberFormatException e) {
      throw usage("%s: %s (expected: seconds since 1970)".formatted(EPOCH, epoch));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void say(String step) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(step + " ...");
    err.flush();
  }

  private static String text(BuiltImage built) {
    StringBuilder text = new StringBuilder();
    text.append("archive     ").append(built.archive()).append('\n');
    text.append("digest      ").append(built.image().digest()).append('\n');
    for (WrittenLayer layer : built.image().layers()) {
      text.append(line(layer.name(), layer.unpacked(), layer.compressed()));
    }
    text.append(line("all", built.image().unpacked(), built.image().compressed()));
    text.append("bill        ").append(built.bill()).append('\n');
    return text.append("provenance  ").append(built.provenance()).append('\n').toString();
  }

  private static String line(String name, long unpacked, long compressed) {
    return String.format(
        Locale.ROOT,
        "%-10s %6.1f MB unpacked, %6.1f MB compressed%n",
        name,
        unpacked / 1e6,
        compressed / 1e6);
  }

  private static ObjectNode tree(BuiltImage built) {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("archive", built.archive().toString());
    tree.put("digest", built.image().digest().toString());
    ArrayNode layers = tree.putArray("layers");
    for (WrittenLayer layer : built.image().layers()) {
      layers
          .addObject()
          .put("name", layer.name())
          .put("digest", layer.digest().toString())
          .put("unpackedBytes", layer.unpacked())
          .put("compressedBytes", layer.compressed());
    }
    tree.put("unpackedBytes", built.image().unpacked());
    tree.put("billOfMaterials", built.bill().toString());
    tree.put("provenance", built.provenance().toString());
    return tree;
  }
}
