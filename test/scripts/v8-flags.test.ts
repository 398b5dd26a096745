import { afterEach, describe, expect, it, vi } from "vitest";

const VARIABLE = "MINIFLARE_WORKERD_V8_FLAGS";

async function toldWith(asked: string | undefined): Promise<typeof import("#scripts/v8-flags.ts")> {
  vi.stubEnv(VARIABLE, asked);
  vi.resetModules();
  return import("#scripts/v8-flags.ts");
}

describe("what the local runtime tells V8", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("limits the heap where the server is to be limited, also after a runtime that was not", async () => {
    const { tellV8 } = await toldWith(undefined);
    tellV8();
    const told = process.env[VARIABLE];
    expect(told).toContain("--no-concurrent-recompilation");
    tellV8({ largestHeap: 128 });
    expect(process.env[VARIABLE]).toBe(`${told} --max-heap-size=128`);
  });

  it("leaves what a developer says as it is", async () => {
    const { tellV8 } = await toldWith("--trace-gc");
    tellV8({ largestHeap: 128 });
    expect(process.env[VARIABLE]).toBe("--trace-gc");
  });
});
