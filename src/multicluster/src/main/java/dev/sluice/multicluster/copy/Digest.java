package dev.sluice.multicluster.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A digest of a tree, the same for any order of its members. */
final class Digest {
  private static final int CHARACTERS = 16;

  private Digest() {}

  static String of(JsonNode tree) {
    StringBuilder text = new StringBuilder();
    write(tree, text);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(JsonNode node, StringBuilder text) {
    if (node.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      node.properties().forEach(it -> sorted.put(it.getKey(), it.getValue()));
      text.append('{');
      for (Map.Entry<String, JsonNode> member : sorted.entrySet()) {
        text.append(member.getKey().length()).append(member.getKey()).append(':');
        write(member.getValue(), text);
      }
      text.append('}');
    } else if (node.isArray()) {
      text.append('[');
      for (JsonNode item : node) {
        write(item, text);
        text.append(',');
      }
      text.append(']');
    } else {
      text.append(node);
    }
  }
}
