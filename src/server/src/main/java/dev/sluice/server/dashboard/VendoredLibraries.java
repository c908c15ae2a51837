package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The program that adds the libraries of the dashboard to a CycloneDX bill of materials. They are
 * files of this module and no dependency of Maven, so the plugin that writes the bill does not know
 * them.
 */
public final class VendoredLibraries {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LIST = "ui/vendor/vendor.json";
  private static final String SHA_512 = "sha512-";
  private static final String OWNER = "/sluice-server@";

  private VendoredLibraries() {}

  /**
   * Adds them; those that are there already are replaced. Without a bill it only says so: Maven
   * writes none while it is offline.
   *
   * @param args the bill of a program that has this module, in JSON
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException(args.length + " arguments (expected: a bill)");
    }
    Path file = Path.of(args[0]);
    if (!Files.exists(file)) {
      System.err.println(file + ": no bill of materials, which Maven writes online only");
      return;
    }
    ObjectNode bill = (ObjectNode) JSON.readTree(file.toFile());
    try (InputStream list = VendoredLibraries.class.getResourceAsStream(LIST)) {
      if (list == null) {
        throw new IllegalStateException(LIST + " is not packed with its class");
      }
      addTo(bill, JSON.readTree(list));
    }
    Files.writeString(file, bill.toPrettyString() + "\n", UTF_8);
  }

  /** Adds each library of the list, and that our server depends on it. */
  static void addTo(ObjectNode bill, JsonNode list) {
    ArrayNode components = bill.withArrayProperty("components");
    ArrayNode dependencies = bill.withArrayProperty("dependencies");
    for (JsonNode library : list) {
      ObjectNode component = component(library);
      JsonNode reference = component.path("bom-ref");
      remove(components, "bom-ref", reference);
      components.add(component);
      remove(dependencies, "ref", reference);
      for (JsonNode dependency : dependencies) {
        if (dependency.path("ref").asText().contains(OWNER)) {
          ArrayNode needed = ((ObjectNode) dependency).withArrayProperty("dependsOn");
          if (needed.valueStream().noneMatch(reference::equals)) {
            needed.add(reference);
          }
        }
      }
      dependencies.addObject().set("ref", reference);
    }
  }

  private static void remove(ArrayNode list, String key, JsonNode value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).path(key).equals(value)) {
        list.remove(i);
      }
    }
  }

  /** The hash is that of the package as the registry has it; each file has its own below. */
  private static ObjectNode component(JsonNode library) {
    String name = library.path("name").asText();
    String version = library.path("version").asText();
    String reference = "pkg:npm/" + name + "@" + version;
    String integrity = library.path("integrity").asText();
    if (!integrity.startsWith(SHA_512)) {
      throw new IllegalArgumentException(
          name + ": integrity: " + integrity + " (expected: " + SHA_512 + "...)");
    }
    ObjectNode component = JSON.createObjectNode();
    component.put("type", "library").put("bom-ref", reference);
    component.put("name", name).put("version", version).put("scope", "required");
    byte[] hash = Base64.getDecoder().decode(integrity.substring(SHA_512.length()));
    addHash(component, "SHA-512", HexFormat.of().formatHex(hash));
    component
        .putArray("licenses")
        .addObject()
        .putObject("license")
        .set("id", library.path("license"));
    component.put("purl", reference);
    ArrayNode files = component.putArray("components");
    for (JsonNode file : library.path("files")) {
      String path = file.path("name").asText();
      ObjectNode part = files.addObject().put("type", "file");
      part.put("bom-ref", reference + "#" + path).put("name", path);
      addHash(part, "SHA-256", file.path("sha256").asText());
    }
    return component;
  }

  private static void addHash(ObjectNode component, String algorithm, String content) {
    component.putArray("hashes").addObject().put("alg", algorithm).put("content", content);
  }
}
