package dev.sluice.testkit.random;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** A small schema that has every construct which the CRDs of Kubernetes projects use. */
public final class Schemas {
  private static final String QUANTITY =
      "^(\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]"
          + "|([eE](\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))))?$";
  private static final String SUBDOMAIN =
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
  private static final String LABEL_KEY =
      "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
          + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

  /** The schema of the kind Berth. */
  public static final String BERTH =
      """
      {"type": "object", "required": ["spec"], "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
        "spec": {"type": "object", "required": ["depth", "strategy"], "properties": {
          "depth": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 30},
          "weight": {"type": "integer", "format": "int64"},
          "share": {"type": "number", "minimum": 0, "maximum": 1},
          "open": {"type": "boolean", "default": true},
          "strategy": {"type": "string", "enum": ["Fifo", "Strict"]},
          "owner": {"type": "string", "nullable": true, "minLength": 2, "maxLength": 12},
          "parent": {"type": "string", "maxLength": 253, "pattern": "%1$s"},
          "short": {"type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},
          "kindOfShip": {"type": "string", "maxLength": 63, "pattern": "^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$"},
          "reason": {"type": "string", "minLength": 1, "maxLength": 1024,
            "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
          "level": {"type": "string", "minLength": 1, "maxLength": 316, "pattern": "%2$s"},
          "since": {"type": "string", "format": "date-time"},
          "blob": {"type": "string", "format": "byte"},
          "limit": {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true,
            "pattern": "%3$s"},
          "capacity": {"type": "object", "maxProperties": 3, "additionalProperties":
            {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true,
            "pattern": "%3$s"}},
          "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 20}},
          "tags": {"type": "array", "maxItems": 4, "x-kubernetes-list-type": "set", "items":
            {"type": "string", "minLength": 1, "maxLength": 2}},
          "cranes": {"type": "array", "minItems": 1, "maxItems": 5, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name", "protocol"], "items": {"type": "object",
            "required": ["name"], "properties": {
              "name": {"type": "string", "enum": ["one", "two", "three"]},
              "protocol": {"type": "string", "default": "TCP", "enum": ["TCP", "UDP"]},
              "note": {"type": "string"}}}},
          "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}
        }}
      }}
      """
          .formatted(SUBDOMAIN, LABEL_KEY, QUANTITY);

  private Schemas() {}

  public static JsonNode berth() {
    return parse(BERTH);
  }

  static JsonNode parse(String schema) {
    try {
      return new JsonMapper().readTree(schema);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(schema, e);
    }
  }
}
