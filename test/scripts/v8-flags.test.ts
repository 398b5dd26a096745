import { afterEach, describe, expect, it, vi } from "vitest";

const VARIABLE = "MINIFLARE_WORKERD_V8_FLAGS";

async function importWithFlags(initialFlags: string | undefined): Promise<typeof import("#scripts/v8-flags.ts")> {
  vi.stubEnv(VARIABLE, initialFlags);
  vi.resetModules();
  return import("#scripts/v8-flags.ts");
}

describe("V8 flags of the local runtime", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("limits the heap of a local server with a limit, even if a server without a limit was started before", async () => {
    const { setV8Flags: tellV8 } = await importWithFlags(undefined);
    tellV8();
    const originalFlags = process.env[VARIABLE];
    expect(originalFlags).toContain("--no-concurrent-recompilation");
    tellV8({ largestHeap: 128 });
    expect(process.env[VARIABLE]).toBe(`${originalFlags} --max-heap-size=128`);
  });

  it("keeps V8 flags that the developer has set", async () => {
    const { setV8Flags: tellV8 } = await importWithFlags("--trace-gc");
    tellV8({ largestHeap: 128 });
    expect(process.env[VARIABLE]).toBe("--trace-gc");
  });
});
