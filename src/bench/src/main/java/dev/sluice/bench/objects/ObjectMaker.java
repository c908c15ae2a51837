package dev.sluice.bench.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes objects of one kind as a busy cluster holds them. Stateless. */
public interface ObjectMaker {
  /** The kind, as it stands in an object. */
  String kind();

  /** The versions it makes objects of; each is converted to the newest one. */
  List<ApiVersion> versions();

  /** The next object at this version; the same random numbers give the same object. */
  ObjectNode make(ApiVersion version, RandomGenerator random);
}
