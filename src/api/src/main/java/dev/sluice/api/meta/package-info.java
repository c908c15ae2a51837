/**
 * The common parts of objects of every kind: metadata, selectors and conditions, and the marks that
 * tell a reader how the API spells and fills in a field. Start at {@link
 * dev.sluice.api.meta.HubObject}.
 */
@NullMarked
package dev.sluice.api.meta;

import org.jspecify.annotations.NullMarked;
