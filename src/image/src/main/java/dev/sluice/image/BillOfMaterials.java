package dev.sluice.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;

/** The CycloneDX bill of an image: that of the program, with runtime and packages added. */
final class BillOfMaterials {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String FORMAT = "CycloneDX";

  private BillOfMaterials() {}

  /**
   * The bill of the image.
   *
   * @param ofProgram the bill that the build wrote beside the program
   */
  static ObjectNode of(Path ofProgram, ImageRequest request, Ingredients ingredients)
      throws IOException {
    JsonNode program = JSON.readTree(ofProgram.toFile());
    if (!program.path("bomFormat").asText().equals(FORMAT)) {
      throw new ImageException(
          "%s: bomFormat %s (expected: %s)"
              .formatted(ofProgram, program.path("bomFormat"), FORMAT));
    }
    ObjectNode bill = JSON.createObjectNode();
    bill.put("bomFormat", FORMAT);
    bill.set("specVersion", program.path("specVersion"));
    bill.put("version", 1);
    ObjectNode metadata = bill.putObject("metadata");
    metadata.put("timestamp", ingredients.created().toString());
    String reference = "image:" + request.name();
    metadata.set("component", component("container", request.name(), reference));
    ArrayNode components = bill.putArray("components");
    components.add(program.at("/metadata/component"));
    program.path("components").forEach(components::add);
    components.add(runtime(ingredients));
    ingredients.packages().forEach(it -> components.add(debian(it, request.architecture())));
    ArrayNode dependencies = bill.putArray("dependencies");
    ArrayNode direct = dependencies.addObject().put("ref", reference).putArray("dependsOn");
    direct.add(program.at("/metadata/component/bom-ref"));
    direct.add("runtime");
    ingredients.packages().forEach(it -> direct.add(purl(it, request.architecture())));
    program.path("dependencies").forEach(dependencies::add);
    return bill;
  }

  private static ObjectNode component(String type, String name, String reference) {
    int colon = name.lastIndexOf(':');
    ObjectNode component = JSON.createObjectNode().put("type", type).put("bom-ref", reference);
    return colon < 0
        ? component.put("name", name)
        : component.put("name", name.substring(0, colon)).put("version", name.substring(colon + 1));
  }

  private static ObjectNode runtime(Ingredients ingredients) {
    ObjectNode runtime = component("platform", "OpenJDK:" + ingredients.javaVersion(), "runtime");
    ArrayNode modules = runtime.putArray("properties");
    ingredients
        .modules()
        .forEach(it -> modules.addObject().put("name", "java:module").put("value", it));
    return runtime;
  }

  private static ObjectNode debian(DebianPackage used, String architecture) {
    String purl = purl(used, architecture);
    return component("library", used.name(), purl).put("version", used.version()).put("purl", purl);
  }

  static String purl(DebianPackage used, String architecture) {
    return "pkg:deb/debian/%s@%s?arch=%s%s"
        .formatted(
            used.name(),
            used.version().replace("+", "%2B"),
            architecture,
            used.source().equals(used.name()) ? "" : "&upstream=" + used.source());
  }
}
