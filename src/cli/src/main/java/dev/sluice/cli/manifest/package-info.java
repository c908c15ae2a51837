/**
 * ManifestFiles in files and streams: YAML and JSON, many documents, with the line each stands on.
 */
@NullMarked
package dev.sluice.cli.manifest;

import org.jspecify.annotations.NullMarked;
