/**
 * Reading and writing YAML as trees of JSON. Reading goes through Jackson; writing is our own,
 * because what we write is committed and compared, so that its bytes must not change with a
 * library. Start at {@link dev.sluice.manifests.yaml.YamlWriter}.
 */
@NullMarked
package dev.sluice.manifests.yaml;

import org.jspecify.annotations.NullMarked;
