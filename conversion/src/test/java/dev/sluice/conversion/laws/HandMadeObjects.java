package dev.sluice.conversion.laws;

import static dev.sluice.conversion.Texts.quoted;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.laws.ConvertedMembers.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Objects that look like those of a kind in whatever version, and like users' mistakes with them:
 * unknown members, the other version's names, nulls, empty values, wrong types, numbers in odd
 * spellings, and our own annotations, sound or not.
 */
final class HandMadeObjects implements ObjectSource {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "1",
          "1.0",
          "1e0",
          "1E+2",
          "0.50",
          "9223372036854775807",
          "-2147483648",
          "123456789012345678901234567890",
          "1e400",
          "9007199254740993");
  private static final List<String> TEXTS =
      List.of(
          "", "a", "b", "p", "1000", "1Gi", "é", "\uffee", "\ud83d\ude00", "\"\\\n\u0001", "</a>&");
  private static final List<String> KEYS =
      List.of(
          "a",
          "b",
          "parent",
          "parentA",
          "parentName",
          "levels",
          "name",
          "nodeLabel",
          "fairSharing",
          "admissionFairSharingStatus",
          "spec",
          "status",
          "",
          "é",
          "\uffee",
          "\ud83d\ude00",
          "x y",
          "zz");
  private static final List<String> VERSIONS = List.of("v1alpha1", "v1beta1", "v1beta2");
  private static final String OURS = "conversion.kueue.x-k8s.io/from-";

  private final boolean canonical;

  HandMadeObjects(boolean canonical) {
    this.canonical = canonical;
  }

  @Override
  public boolean isCanonical() {
    return canonical;
  }

  @Override
  public String draw(ApiKind kind, ApiVersion version, RandomGenerator random) {
    return new Drawing(random).object(kind, version);
  }

  @Override
  public String toString() {
    return canonical ? "objects as the API server sends them" : "objects written anyhow";
  }

  /** One object on the way. */
  private final class Drawing {
    private final RandomGenerator random;

    Drawing(RandomGenerator random) {
      this.random = random;
    }

    String object(ApiKind kind, ApiVersion version) {
      Map<String, String> root = new TreeMap<>(HandMadeObjects::byCodePoint);
      unknown(root);
      if (chance(95)) {
        root.put("metadata", metadata());
      }
      switch (kind) {
        case COHORT -> cohort(root);
        case TOPOLOGY -> topology(root);
        default -> addAll(ConvertedMembers.of(kind), root);
      }
      root.put("apiVersion", quoted(version.groupVersion()));
      root.put("kind", quoted(kind.kind()));
      return object(root);
    }

    private void addAll(Map<String, Member> known, Map<String, String> members) {
      known.forEach((key, member) -> maybe(members, key, 70, () -> value(member)));
    }

    private String value(Member member) {
      if (!member.values().isEmpty()) {
        return pick(member.values());
      }
      return member.list() ? list(() -> object(member)) : object(member);
    }

    private String object(Member member) {
      Map<String, String> members = members();
      addAll(member.members(), members);
      return object(members);
    }

    private void cohort(Map<String, String> root) {
      Map<String, String> spec = members();
      maybe(spec, "parent", 50, this::text);
      maybe(spec, "parentName", 50, this::text);
      maybe(spec, "fairSharing", 30, () -> object(Map.of("weight", number())));
      Map<String, String> shares = members();
      maybe(shares, "weightedShare", 60, this::number);
      maybe(shares, "admissionFairSharingStatus", 60, () -> any(2));
      Map<String, String> status = members();
      maybe(status, "fairSharing", 85, () -> object(shares));
      maybe(root, "spec", 90, () -> object(spec));
      maybe(root, "status", 80, () -> object(status));
    }

    private void topology(Map<String, String> root) {
      Map<String, String> spec = members();
      maybe(spec, "levels", 85, () -> list(this::level));
      maybe(root, "levels", 50, () -> list(() -> chance(90) ? label() : any(1)));
      maybe(root, "name", 30, this::text);
      maybe(root, "spec", 85, () -> object(spec));
    }

    private String level() {
      return chance(85) ? object(Map.of("nodeLabel", label())) : any(2);
    }

    private String label() {
      return quoted(chance(70) ? "a" : "b");
    }

    private String metadata() {
      Map<String, String> metadata = members();
      maybe(metadata, "name", 90, () -> quoted("n"));
      maybe(metadata, "labels", 20, () -> object(Map.of("l", text())));
      if (chance(50)) {
        metadata.put("annotations", annotations());
      }
      return chance(95) ? object(metadata) : "null";
    }

    private String annotations() {
      if (chance(30)) {
        return chance(50) ? "{}" : "null";
      }
      Map<String, String> annotations = new TreeMap<>(HandMadeObjects::byCodePoint);
      annotations.put("kubectl.kubernetes.io/last-applied-configuration", text());
      if (chance(50)) {
        annotations.clear();
      }
      if (chance(60)) {
        annotations.put(OURS + pick(VERSIONS), chance(80) ? quoted(entries()) : any(1));
      }
      return object(annotations);
    }

    private String entries() {
      String first = text();
      String second = text();
      return switch (random.nextInt(7)) {
        case 0 -> "{";
        case 1 -> any(2);
        case 2 -> "{\"parent\":{\"parent\":" + first + ",\"parentName\":" + second + "}}";
        case 3 -> "{\"parent\":{\"parentName\":" + second + "},\"annotations\":{}}";
        case 4 -> "{\"rootLevels\":{\"levels\":[\"a\"],\"name\":" + first + "}}";
        case 5 -> "{\"admissionFairSharingStatus\":{},\"statusDigest\":" + first + "}";
        default -> "{\"annotations\":" + any(1) + ",\"unknown\":" + any(1) + "}";
      };
    }

    private Map<String, String> members() {
      Map<String, String> members = new TreeMap<>(HandMadeObjects::byCodePoint);
      if (chance(30)) {
        unknown(members);
      }
      return members;
    }

    private void unknown(Map<String, String> members) {
      for (int i = random.nextInt(3); i > 0; i--) {
        members.put("u" + pick(KEYS), any(2));
      }
    }

    private void maybe(
        Map<String, String> members, String key, int percent, Supplier<String> value) {
      if (chance(percent)) {
        members.put(key, chance(80) ? value.get() : any(2));
      }
    }

    private String any(int depth) {
      return switch (random.nextInt(depth > 0 ? 8 : 5)) {
        case 0 -> "null";
        case 1 -> chance(50) ? "true" : "{}";
        case 2 -> chance(50) ? "false" : "[]";
        case 3 -> number();
        case 4, 5 -> text();
        case 6 -> list(() -> any(depth - 1));
        default -> {
          Map<String, String> members = new TreeMap<>(HandMadeObjects::byCodePoint);
          for (int i = random.nextInt(4); i > 0; i--) {
            members.put(pick(KEYS), any(depth - 1));
          }
          yield object(members);
        }
      };
    }

    private String number() {
      return pick(NUMBERS);
    }

    private String text() {
      String text = quoted(pick(TEXTS));
      if (canonical) {
        return text.replace("\\u000A", "\\n");
      }
      return chance(20) ? text.replace("a", "\\u0061").replace("/", "\\/") : text;
    }

    private String list(Supplier<String> item) {
      List<String> items = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        items.add(item.get());
      }
      return "[" + String.join("," + blank(), items) + blank() + "]";
    }

    private String object(Map<String, String> members) {
      List<String> texts = new ArrayList<>();
      members.forEach((key, value) -> texts.add(quoted(key) + blank() + ":" + blank() + value));
      if (!canonical) {
        Collections.shuffle(texts, Random.from(random));
      }
      return "{" + String.join("," + blank(), texts) + blank() + "}";
    }

    private String blank() {
      return canonical || chance(80) ? "" : pick(List.of(" ", "\n\t", "\r\n"));
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    private String pick(List<String> choices) {
      return choices.get(random.nextInt(choices.size()));
    }
  }

  private static int byCodePoint(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }
}
