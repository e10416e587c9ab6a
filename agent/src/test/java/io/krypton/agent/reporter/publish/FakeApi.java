// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.kube.ApiRequest;
import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.kube.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Answers by a rule and remembers every call. */
final class FakeApi implements ApiServer {
  private final List<ApiRequest> calls = new CopyOnWriteArrayList<>();
  private volatile Function<ApiRequest, ApiResult> rule = call -> ApiResult.Done.withoutBody();
  private volatile boolean closed;

  void answers(Function<ApiRequest, ApiResult> next) {
    rule = next;
  }

  void answers(ApiResult always) {
    rule = call -> always;
  }

  @Override
  public ApiResult call(ApiRequest call, Duration limit) throws InterruptedException {
    calls.add(call);
    return rule.apply(call);
  }

  List<ApiRequest> calls() {
    return calls;
  }

  List<ApiRequest> reports() {
    return calls.stream().filter(call -> call.method().equals("PATCH") && !isLease(call)).toList();
  }

  List<ApiRequest> leases() {
    return calls.stream().filter(FakeApi::isLease).toList();
  }

  boolean isClosed() {
    return closed;
  }

  static boolean isLease(ApiRequest call) {
    return call.pathAndQuery().contains("/leases/");
  }

  @Override
  public void close() {
    closed = true;
  }
}
