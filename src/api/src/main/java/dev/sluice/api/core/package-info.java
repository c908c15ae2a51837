/**
 * Objects of Kubernetes itself that decisions read, each with the fields they read. Start at {@link
 * dev.sluice.api.core.Node}.
 */
@NullMarked
package dev.sluice.api.core;

import org.jspecify.annotations.NullMarked;
