/**
 * The rules for an AdmissionCheck and for the configuration of provisioning requests. Start at
 * {@link dev.sluice.webhook.rules.check.AdmissionCheckRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.check;

import org.jspecify.annotations.NullMarked;
