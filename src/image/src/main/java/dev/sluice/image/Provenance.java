package dev.sluice.image;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.image.oci.Digest;
import java.io.IOException;
import java.nio.file.Path;

/** Says what an image was built of and how, as an in-toto statement with SLSA's predicate. */
final class Provenance {
  private static final JsonMapper JSON = new JsonMapper();

  private Provenance() {}

  /** The statement about an image with this digest. It is not signed. */
  static ObjectNode of(Digest image, ImageRequest request, Ingredients ingredients)
      throws IOException {
    ObjectNode statement = JSON.createObjectNode();
    statement.put("_type", "https://in-toto.io/Statement/v1");
    ObjectNode subject = statement.putArray("subject").addObject().put("name", request.name());
    subject.putObject("digest").put("sha256", image.hex());
    statement.put("predicateType", "https://slsa.dev/provenance/v1");
    ObjectNode predicate = statement.putObject("predicate");
    ObjectNode definition = predicate.putObject("buildDefinition");
    definition.put("buildType", "urn:sluice:image:v1");
    parameters(definition, request, ingredients);
    dependencies(definition.putArray("resolvedDependencies"), request, ingredients);
    predicate.putObject("runDetails").putObject("builder").put("id", "urn:sluice:clone");
    return statement;
  }

  private static void parameters(
      ObjectNode definition, ImageRequest request, Ingredients ingredients) {
    definition
        .putObject("externalParameters")
        .put("name", request.name())
        .put("architecture", request.architecture())
        .put("base", request.base().name().toLowerCase(java.util.Locale.ROOT))
        .put("startCaches", request.startCaches());
    definition
        .putObject("internalParameters")
        .put("sourceDateEpoch", ingredients.created().getEpochSecond());
  }

  private static void dependencies(
      ArrayNode dependencies, ImageRequest request, Ingredients ingredients) throws IOException {
    ingredients
        .source()
        .ifPresent(
            it -> {
              ObjectNode source = dependencies.addObject().put("name", "source");
              source.putObject("digest").put("gitCommit", it.commit());
              source.putObject("annotations").put("changedSinceCommit", it.changed());
            });
    dependencies
        .addObject()
        .put("name", "jdk")
        .putObject("annotations")
        .put("version", ingredients.javaVersion());
    for (DebianPackage used : ingredients.packages()) {
      ObjectNode dependency = dependencies.addObject().put("name", used.name());
      dependency.put("uri", BillOfMaterials.purl(used, request.architecture()));
      dependency.putObject("annotations").put("contentSha256", used.content());
    }
    for (Path jar : ingredients.jars()) {
      ObjectNode dependency =
          dependencies.addObject().put("name", String.valueOf(jar.getFileName()));
      dependency.putObject("digest").put("sha256", Digest.of(jar).hex());
    }
  }
}
