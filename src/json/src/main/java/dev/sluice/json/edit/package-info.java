/**
 * Edits the text of manifests so that a document says something else and everything around the
 * change stays byte for byte: comments, quotes, blank lines, order. Start at {@link
 * dev.sluice.json.edit.ManifestText}; {@code TreeEdit} compares two trees and finds out what to
 * change, {@code BlockEdit} and {@code FlowEdit} know how it is written.
 */
@NullMarked
package dev.sluice.json.edit;

import org.jspecify.annotations.NullMarked;
