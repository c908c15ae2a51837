/**
 * Manifests in YAML and JSON: many documents, numbers as they were spelled, with the line on which
 * each field stands. Start at {@link dev.sluice.json.yaml.ManifestReader} and {@link
 * dev.sluice.json.yaml.YamlWriter}.
 */
@NullMarked
package dev.sluice.json.yaml;

import org.jspecify.annotations.NullMarked;
