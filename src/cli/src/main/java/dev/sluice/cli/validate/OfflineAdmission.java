package dev.sluice.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.schema.KindSchema;
import dev.sluice.cli.schema.KindSchema.Received;
import dev.sluice.cli.schema.KindSchema.Verdict;
import dev.sluice.cli.schema.KindSchemas;
import dev.sluice.cli.schema.MetadataCheck;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.server.objects.ManifestObject;
import dev.sluice.server.program.CommandException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an API server and its webhooks do with one object together, in their order: it is read by
 * the schema of its version, defaulted by us, validated by schema and rules in CEL, and then by our
 * rules at the hub version. Where the API server would stop at the first that refuses, all are
 * asked. Any thread may use it.
 */
final class OfflineAdmission {
  private final KindSchemas schemas = new KindSchemas();
  private final Converter converter = new Converter(Mode.CARRY);
  private final RuleBook book;
  private final ReviewContext world;
  private final StoredObjects stored;
  private final String namespace;

  /**
   * Admission by these rules.
   *
   * @param stored what is there already: objects found there are updates of them
   * @param namespace where objects are that name none
   */
  OfflineAdmission(RuleBook book, ReviewContext world, StoredObjects stored, String namespace) {
    this.book = book;
    this.world = world;
    this.stored = stored;
    this.namespace = namespace;
  }

  /** Whether there is anything to ask of such an object. */
  boolean concerns(ManifestObject object) {
    return object.isOurs()
        || book.find(object.kind().groupKind())
            .filter(rules -> rules.kind().equals(object.kind()))
            .isPresent();
  }

  /** What is found in an object that this {@linkplain #concerns}. */
  List<Finding> check(ManifestObject object) {
    Optional<ApiKind> kind = object.servedKind();
    if (kind.isPresent()) {
      return checkOurs(object, kind.get(), object.version().orElseThrow());
    }
    return object.isOurs() ? List.of(unserved(object)) : checkOther(object);
  }

  private Finding unserved(ManifestObject object) {
    String message =
        switch (converter.convert(ManifestObject.slice(object.tree()), ApiVersion.HUB)) {
          case Outcome.Refused refused -> refused.message();
          case Outcome.Converted converted -> converted.kind() + ": not served";
        };
    return new Finding(
        object.placeOf("apiVersion"), "object", "apiVersion", "Invalid value", message, true);
  }

  private List<Finding> checkOurs(ManifestObject object, ApiKind kind, ApiVersion version) {
    KindSchema schema = schemas.of(kind, version);
    JsonNode tree = object.tree(namespace, kind.namespaced());
    var findings = new ObjectFindings(object, name(object, tree));
    Received received = schema.receive(tree);
    findings.addUnknown(received.unknown());
    findings.addViolations(received.violations());

    JsonNode before = stored.find(object.kind().groupKind(), tree).orElse(null);
    JsonNode old = before == null ? null : schema.receive(convert(before, version)).object();
    ObjectNode sent = schema.withStoredStatus(received.object(), old);
    ObjectNode defaulted = defaulted(kind, version, sent, old, findings);
    Verdict verdict = schema.check(defaulted, old);
    findings.addViolations(verdict.violations());
    if (verdict.leftOutRules()) {
      findings.warn(
          "rules between fields were left out, since they cannot be evaluated on what is wrong"
              + " above; mend that and validate again");
    }
    findings.addAll(
        book.check(kind.groupKind(), input(convert(defaulted, ApiVersion.HUB), hub(old))));
    return findings.all();
  }

  /** What our defaulter makes of an object, at the version of the object. */
  private ObjectNode defaulted(
      ApiKind kind,
      ApiVersion version,
      ObjectNode object,
      @Nullable JsonNode old,
      ObjectFindings findings) {
    Optional<KindRules> rules = book.find(kind.groupKind());
    if (rules.isEmpty() || rules.get().defaultedOn().isEmpty()) {
      return object;
    }
    PatchRecorder draft =
        apply(rules.get(), input(convert(object, ApiVersion.HUB), hub(old)), findings);
    return draft.edits().isEmpty()
        ? object
        : schemas.of(kind, version).receive(convert(draft.object(), version)).object();
  }

  /**
   * A kind of another API: its schema is unknown, but the rules of metadata and our rules apply.
   */
  private List<Finding> checkOther(ManifestObject object) {
    JsonNode tree = object.tree(namespace, true);
    var findings = new ObjectFindings(object, name(object, tree));
    KindRules rules = book.find(object.kind().groupKind()).orElseThrow();
    RuleInput input = input(tree, stored.find(object.kind().groupKind(), tree).orElse(null));
    PatchRecorder draft = apply(rules, input, findings);
    findings.addViolations(MetadataCheck.violations(draft.object().path("metadata")));
    findings.addAll(rules.check(input.with(draft.object())));
    return findings.all();
  }

  private static PatchRecorder apply(KindRules rules, RuleInput input, ObjectFindings findings) {
    var found = new ValidationResult();
    PatchRecorder draft = rules.apply(input, found);
    findings.addAll(found);
    return draft;
  }

  private RuleInput input(JsonNode object, @Nullable JsonNode old) {
    Operation operation = old == null ? Operation.CREATE : Operation.UPDATE;
    return new RuleInput(operation, object, old, world);
  }

  private @Nullable JsonNode hub(@Nullable JsonNode old) {
    return old == null ? null : convert(old, ApiVersion.HUB);
  }

  private JsonNode convert(JsonNode object, ApiVersion version) {
    return switch (converter.convert(ManifestObject.slice(object), version)) {
      case Outcome.Converted converted -> ManifestObject.tree(converted.object());
      case Outcome.Refused refused -> // one that is there already, as of a file of old objects
          throw new CommandException(
              "%s %s: %s"
                  .formatted(
                      object.path("kind").asText(),
                      ValueText.quoted(object.path("metadata").path("name").asText()),
                      refused.message()));
    };
  }

  private static String name(ManifestObject object, JsonNode tree) {
    JsonNode metadata = tree.path("metadata");
    String name = metadata.path("name").asText(metadata.path("generateName").asText());
    String namespace = metadata.path("namespace").asText();
    String kind = object.kind().kind();
    String full = namespace.isEmpty() ? name : namespace + "/" + name;
    return name.isEmpty() ? kind : kind + " " + ValueText.quoted(full);
  }
}
