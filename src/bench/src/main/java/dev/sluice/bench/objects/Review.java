package dev.sluice.bench.objects;

/**
 * A review to send.
 *
 * @param path where it goes, with its query
 * @param uid its uid
 * @param objects how many objects it holds
 * @param expected what the answer should be
 * @param json its text; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // shared by all senders, never compared
public record Review(String path, String uid, int objects, Expected expected, byte[] json) {}
