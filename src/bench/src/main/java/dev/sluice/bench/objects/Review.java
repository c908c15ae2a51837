package dev.sluice.bench.objects;

import dev.sluice.api.ApiVersion;

/**
 * A ConversionReview to send.
 *
 * @param uid its uid
 * @param objects how many objects it holds
 * @param to the version asked for
 * @param json its text; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // shared by all senders, never compared
public record Review(String uid, int objects, ApiVersion to, byte[] json) {}
