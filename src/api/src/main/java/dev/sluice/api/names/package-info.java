/**
 * The rules Kubernetes has for names: label keys and values, DNS subdomains and labels. Each check
 * takes any text and returns one sentence per broken rule. Start at {@link
 * dev.sluice.api.names.LabelKey}.
 */
@NullMarked
package dev.sluice.api.names;

import org.jspecify.annotations.NullMarked;
