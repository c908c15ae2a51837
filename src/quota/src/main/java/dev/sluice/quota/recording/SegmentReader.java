package dev.sluice.quota.recording;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of one segment. It answers only events of frames that are whole and unaltered;
 * bytes at the end that are no whole frame are cut. For one thread.
 */
public final class SegmentReader implements AutoCloseable {
  /** A frame is the events of a second, or a checkpoint. */
  private static final int LARGEST = 1 << 29;

  private final String name;
  private final byte[] segment;
  private final ByteBuffer bytes;
  private final Inflater inflater = new Inflater(true);
  private final MessageDigest digest = SegmentWriter.sha256();
  private final EventReader events = new EventReader();
  private final SegmentHeader header;
  private byte[] hash = new byte[SegmentWriter.HASH];
  private int frameNumber;
  private long sequence;
  private int cut;
  private boolean closed;

  /**
   * Opens a segment.
   *
   * @param name for messages
   * @throws MalformedRecordingException if it is none, or its header is damaged, or another version
   *     wrote it
   */
  public SegmentReader(String name, byte[] segment) {
    this.name = name;
    this.segment = segment;
    this.bytes = ByteBuffer.wrap(segment);
    try {
      this.header = open();
    } catch (MalformedRecordingException e) {
      inflater.end();
      throw new MalformedRecordingException(name + ": " + e.getMessage(), e);
    }
    this.sequence = header.sequence() - 1;
  }

  /** Whether the bytes end within the header, as those of a process do that was killed there. */
  public static boolean endsInHeader(byte[] segment) {
    int start = SegmentWriter.MAGIC.length + 4;
    if (segment.length < start + 8) {
      return true;
    }
    ByteBuffer bytes = ByteBuffer.wrap(segment, start, segment.length - start);
    int length = bytes.getInt();
    return bytes.getInt() == SegmentWriter.checksum(0, length)
        && bytes.remaining() < length + SegmentWriter.HASH;
  }

  private SegmentHeader open() {
    byte[] magic = new byte[SegmentWriter.MAGIC.length];
    if (bytes.remaining() < magic.length + 4) {
      throw new MalformedRecordingException("ends before its header (expected: a segment)");
    }
    bytes.get(magic);
    if (!Arrays.equals(magic, SegmentWriter.MAGIC)) {
      throw new MalformedRecordingException("is no segment of a flight recorder");
    }
    int format = bytes.getInt();
    if (format != SegmentWriter.FORMAT) {
      throw new MalformedRecordingException(
          "has format " + format + " (expected: " + SegmentWriter.FORMAT + ", of this version)");
    }
    byte[] content = content();
    if (content == null) {
      throw new MalformedRecordingException("ends before its header (expected: a segment)");
    }
    return SegmentHeader.read(content);
  }

  public SegmentHeader header() {
    return header;
  }

  /** For messages. */
  public String name() {
    return name;
  }

  /**
   * The next event, or null at the end.
   *
   * @throws MalformedRecordingException naming the segment and the place of the damage
   */
  public @Nullable RecordedEvent next() {
    try {
      Event event = events.next();
      while (event == null) {
        byte[] content = content();
        if (content == null) {
          return null;
        }
        events.give(content);
        event = events.next();
      }
      closed = event instanceof Event.Ended;
      return new RecordedEvent(++sequence, events.now(), event);
    } catch (MalformedRecordingException e) {
      throw new MalformedRecordingException(
          "%s, after event %d, byte %d: %s"
              .formatted(name, sequence, bytes.position(), e.getMessage()),
          e);
    }
  }

  /** Passes on the bytes of all frames after the header as they were before compression. */
  public void expand(Consumer<byte[]> frames) {
    for (byte[] content = content(); content != null; content = content()) {
      frames.accept(content);
    }
  }

  /** The content of the next frame; null where the file ends. */
  private byte @Nullable [] content() {
    int start = bytes.position();
    if (bytes.remaining() < 8) {
      return end(start);
    }
    int length = bytes.getInt();
    if (bytes.getInt() != SegmentWriter.checksum(frameNumber, length)) {
      bytes.position(start);
      if (isZero()) {
        return end(start); // a file system may lose the last blocks of a file
      }
      throw new MalformedRecordingException("the chain is broken: a frame's length was altered");
    }
    if (bytes.remaining() < length + SegmentWriter.HASH) {
      return end(start);
    }
    byte[] payload = new byte[length];
    bytes.get(payload);
    digest.update(hash);
    digest.update(segment, start, 8 + length);
    byte[] expected = digest.digest();
    byte[] found = new byte[SegmentWriter.HASH];
    bytes.get(found);
    if (!Arrays.equals(expected, found)) {
      bytes.position(start);
      throw new MalformedRecordingException("the chain is broken: a frame was altered");
    }
    hash = expected;
    frameNumber++;
    return inflated(payload);
  }

  private byte @Nullable [] end(int start) {
    cut = bytes.limit() - start;
    bytes.position(bytes.limit());
    return null;
  }

  private boolean isZero() {
    for (int i = bytes.position(); i < bytes.limit(); i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private byte[] inflated(byte[] payload) {
    var out = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 13];
    inflater.setInput(payload);
    try {
      int count;
      do {
        count = inflater.inflate(buffer);
        out.write(buffer, 0, count);
      } while (count > 0 && out.size() < LARGEST);
    } catch (DataFormatException e) {
      throw new MalformedRecordingException("a frame cannot be expanded", e);
    }
    return out.toByteArray();
  }

  /** The number of the last event that was answered. */
  public long sequence() {
    return sequence;
  }

  /** How many bytes at the end are no whole frame; once {@link #next} has answered null. */
  public int cut() {
    return cut;
  }

  /** Whether the recorder closed it as the last one of its run. */
  public boolean isClosed() {
    return closed;
  }

  /** The hash of the last frame that was read. */
  public String hash() {
    return HexFormat.of().formatHex(hash);
  }

  /** Frees memory outside of the heap. */
  @Override
  public void close() {
    inflater.end();
  }
}
