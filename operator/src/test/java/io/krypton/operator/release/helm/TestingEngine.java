// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine whose operations last until they may go on, and that is as ready as a test says. */
public final class TestingEngine implements HelmEngine {
  private final List<HelmOperation> operations = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Boolean> goOn = new CompletableFuture<>();
  private volatile String name = "testing";
  private volatile ConcurrencyLimits limits;
  private volatile HelmResult answer = new HelmResult.Done();
  private volatile Readiness readiness = new Readiness.Ready("v4.3.1");
  private volatile boolean closed;

  public TestingEngine(ConcurrencyLimits limits) {
    this.limits = limits;
  }

  public TestingEngine called(String engine) {
    name = engine;
    return this;
  }

  public TestingEngine thatIs(Readiness found) {
    readiness = found;
    return this;
  }

  /** What operations end with. */
  public void answer(HelmResult result) {
    answer = result;
  }

  void limit(ConcurrencyLimits others) {
    limits = others;
  }

  /** Lets operations end, also later ones. */
  public void goOn() {
    goOn.complete(true);
  }

  public List<HelmOperation> operations() {
    return operations;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    operations.add(operation);
    goOn.join();
    return answer;
  }

  @Override
  public ConcurrencyLimits limits() {
    return limits;
  }

  @Override
  public ChartTool charts() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChartRenderer renderer() {
    return request -> new ChartRenderer.RenderResult.Manifest("by " + name);
  }

  @Override
  public String instance() {
    return "instance";
  }

  @Override
  public boolean hasEnded(String instance) {
    return false;
  }

  @Override
  public void stop(String cluster) {}

  @Override
  public void forget(String cluster) {}

  @Override
  public Readiness check() {
    return readiness;
  }

  @Override
  public Optional<String> problem() {
    return readiness instanceof Readiness.NotReady(var reason)
        ? Optional.of(reason)
        : Optional.empty();
  }

  @Override
  public EngineStatus status() {
    return new EngineStatus(name, "", "v4.3.1", operations.size(), 0);
  }

  @Override
  public void close() {
    closed = true;
  }
}
