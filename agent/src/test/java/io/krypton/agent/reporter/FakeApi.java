package io.krypton.agent.reporter;

import io.krypton.agent.publish.ApiCall;
import io.krypton.agent.publish.ApiResult;
import io.krypton.agent.publish.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Answers by a rule and remembers every call. */
final class FakeApi implements ApiServer {
  private final List<ApiCall> calls = new CopyOnWriteArrayList<>();
  private volatile Function<ApiCall, ApiResult> rule = call -> ApiResult.Done.withoutBody();
  private volatile boolean closed;

  void answers(Function<ApiCall, ApiResult> next) {
    rule = next;
  }

  void answers(ApiResult always) {
    rule = call -> always;
  }

  @Override
  public ApiResult call(ApiCall call, Duration limit) throws InterruptedException {
    calls.add(call);
    return rule.apply(call);
  }

  List<ApiCall> calls() {
    return calls;
  }

  List<ApiCall> reports() {
    return calls.stream().filter(call -> call.method().equals("PATCH") && !isLease(call)).toList();
  }

  List<ApiCall> leases() {
    return calls.stream().filter(FakeApi::isLease).toList();
  }

  boolean isClosed() {
    return closed;
  }

  static boolean isLease(ApiCall call) {
    return call.pathAndQuery().contains("/leases/");
  }

  @Override
  public void close() {
    closed = true;
  }
}
