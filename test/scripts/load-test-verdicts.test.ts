import { describe, expect, test } from "vitest";
import { evaluateHostileRun, type HostileRun, NOTICEABLE_MILLISECONDS } from "#tools/hostile/evaluate.ts";
import { findSoakFaults, getHeapGrowth, type MemoryReading, type SoakResult } from "#tools/soak/evaluate.ts";

const MEBIBYTE = 1024 * 1024;

/** Creates a reading every half minute of an isolate's retained memory in MiB. */
function readings(...values: readonly number[]): MemoryReading[] {
  return values.map((mebibytes, index) => {
    const bytes = mebibytes * MEBIBYTE;
    return { worker: "front", seconds: index * 30, retained: bytes, used: bytes + 5 * MEBIBYTE };
  });
}

const SOAKED: SoakResult = {
  answered: 1000,
  failed: 0,
  longestMilliseconds: 900,
  longestAllowedMilliseconds: 10_000,
  problems: [],
  readings: readings(10, 28, 30, 31, 30, 31, 30, 31),
};

describe("a soak test", () => {
  test("passes a soak test with responses to the end and a steady heap, whatever its first minute took", () => {
    expect(findSoakFaults(SOAKED)).toEqual([]);
  });

  test.each<readonly [string, Partial<SoakResult>, string]>([
    ["without any response", { answered: 0 }, "nothing was answered"],
    ["in which a request failed", { failed: 3 }, "3 requests were not answered well"],
    ["in which a request waited too long", { longestMilliseconds: 10_001 }, "a request waited 10001 ms"],
    ["whose health check failed", { problems: ["/healthz after 61 s: 503"] }, "/healthz after 61 s: 503"],
    ["without a measured heap", { readings: [] }, "no heap was read"],
    ["whose heap reached its limit", { readings: readings(10, 59) }, "the heap of front was 64.0 MiB"],
    ["whose heap grows each minute", { readings: readings(10, 20, 21, 22, 23, 24, 25, 26) }, "the heap of front grows"],
  ])("fails a soak test %s", (_, change, fault) => {
    expect(findSoakFaults({ ...SOAKED, ...change })).toEqual([expect.stringContaining(fault)]);
  });

  test("reports no memory growth if a soak test was too short", () => {
    expect(getHeapGrowth(readings(10, 20, 30, 40, 50))).toBeUndefined();
  });
});

const createQuietResult = (p99: number) => ({ p99, failed: 0, answered: 400 });
const RUN: HostileRun = {
  before: createQuietResult(40),
  duringAttack: createQuietResult(79),
  after: createQuietResult(42),
  attacks: { "deep JSON": { "400": 20 }, "slow bodies": { held: 50, cut: 2 } },
  memory: { front: 60_000_000, printer: 99_000_000 },
};

describe("an account next to an attacked one", () => {
  test("passes a load test if an account next to an attacked one takes at most twice its response time without attack", () => {
    expect(evaluateHostileRun(RUN).result).toBe("within");
    expect(evaluateHostileRun({ ...RUN, duringAttack: createQuietResult(81) })).toMatchObject({
      result: "beyond",
      reasons: ["p99 under attack 81 ms, twice the quiet one is 80 ms, 80 ms allowed"],
    });
  });

  test("passes a load test if the attack slows the other account by a few milliseconds that users don't notice", () => {
    const still = { ...RUN, before: createQuietResult(3), after: createQuietResult(3) };
    expect(evaluateHostileRun({ ...still, duringAttack: createQuietResult(NOTICEABLE_MILLISECONDS) }).result).toBe(
      "within",
    );
    expect(evaluateHostileRun({ ...still, duringAttack: createQuietResult(NOTICEABLE_MILLISECONDS + 1) }).result).toBe(
      "beyond",
    );
  });

  test("names twice the quiet p99 if only the unnoticeable duration allows the result", () => {
    const still = { ...RUN, before: createQuietResult(7), after: createQuietResult(7) };
    expect(evaluateHostileRun({ ...still, duringAttack: createQuietResult(16) })).toEqual({
      result: "within",
      reasons: ["p99 under attack 16 ms, twice the quiet one is 14 ms, 50 ms allowed"],
    });
  });

  test("returns no verdict if the quiet measurements differ by over 15% and allow different results", () => {
    const verdict = evaluateHostileRun({ ...RUN, duringAttack: createQuietResult(90), after: createQuietResult(48) });
    expect(verdict.result).toBe("not judged");
    expect(verdict.reasons[0]).toContain("differ by 17 %");
    expect(
      evaluateHostileRun({ ...RUN, duringAttack: createQuietResult(80), after: createQuietResult(48) }).result,
    ).toBe("within");
    expect(
      evaluateHostileRun({ ...RUN, duringAttack: createQuietResult(97), after: createQuietResult(48) }).result,
    ).toBe("beyond");
  });

  test("fails an attack test if an isolate used too much memory or none was measured", () => {
    expect(evaluateHostileRun({ ...RUN, memory: { ...RUN.memory, office: 101_000_000 } })).toEqual({
      result: "beyond",
      reasons: ["office used 101 MB, the limit is 100 MB"],
    });
    expect(evaluateHostileRun({ ...RUN, memory: { ...RUN.memory, office: 0 } })).toEqual({
      result: "beyond",
      reasons: ["office's memory couldn't be read"],
    });
    expect(evaluateHostileRun({ ...RUN, memory: {} })).toEqual({ result: "beyond", reasons: ["no memory was read"] });
  });

  test("fails an attack test if no attack ran", () => {
    expect(evaluateHostileRun({ ...RUN, attacks: {} })).toEqual({ result: "beyond", reasons: ["nobody attacked"] });
  });

  test("fails an attack test without responses to the other account, however busy the machine is", () => {
    const busy = { ...RUN, after: createQuietResult(400) };
    expect(evaluateHostileRun({ ...busy, duringAttack: { ...createQuietResult(40), failed: 1 } }).result).toBe(
      "beyond",
    );
    expect(evaluateHostileRun({ ...busy, duringAttack: { ...createQuietResult(40), answered: 0 } }).result).toBe(
      "beyond",
    );
  });

  test.each<readonly [string, HostileRun["attacks"][string]]>([
    ["reached no server", {}],
    ["caused a server error", { "400": 4, "500": 1 }],
    ["succeeded", { "200": 1 }],
  ])("fails an attack test if an attack %s", (_, outcome) => {
    expect(evaluateHostileRun({ ...RUN, attacks: { ...RUN.attacks, forms: outcome } }).result).toBe("beyond");
  });
});
