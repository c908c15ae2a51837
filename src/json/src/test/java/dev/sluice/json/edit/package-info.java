/**
 * Holds the editing of texts against its law: the new text says the new tree, and what is not part
 * of the change is still there. Start at {@link dev.sluice.json.edit.ManifestTextLawTest}.
 */
@NullMarked
package dev.sluice.json.edit;

import org.jspecify.annotations.NullMarked;
