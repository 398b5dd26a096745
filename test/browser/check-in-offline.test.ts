import { describe, expect, test } from "vitest";
import { handOver, statusOf, untilAllReceived } from "./phone.ts";
import { useShift } from "./shift.ts";

// The promise of the app, in a real browser; what else may happen to a phone is a proof of a release.

const shift = useShift();

describe("a phone in a car park without a signal", () => {
  test("hands a car over, is killed and started again, and everything arrives exactly once in the daylight", async () => {
    await shift.start();
    await shift.site.stop();
    await shift.open(1);
    await handOver(shift.page, { kilometres: "10500" });
    await expect.poll(() => statusOf(shift.page)).toContain("1 waits");
    expect(shift.server.operations.size).toBe(0);

    await shift.kill();
    await shift.restart();
    await shift.page.goto(`${shift.site.address}#/outbox`);
    await shift.page.waitForSelector(".item");
    expect(await statusOf(shift.page)).toContain("1 waits");

    await shift.site.start();
    await shift.page.click(".action .main");
    await untilAllReceived(shift.page);
    const [kept] = [...shift.server.operations.values()];
    expect(shift.server.operations.size).toBe(1);
    expect([...shift.server.applications.values()]).toEqual([1]);
    expect(kept?.operation).toMatchObject({
      kind: "delivery",
      seq: 1,
      kilometres: 10_500,
      fuel_eighths: 7,
      author: "ana",
    });
    expect(kept?.operation.photos).toHaveLength(8);
    expect(kept?.operation.signature?.method).toBe("drawn");
    // The photos, the signature, and the text that stands above it.
    expect(shift.server.files.size).toBe(10);
    const text = shift.server.files.get(`${kept?.operation.booking_id}/${kept?.operation.signature?.contract_hash}`);
    expect(text?.type).toBe("text/plain");
    expect(new TextDecoder().decode(text?.bytes)).toContain("Kilómetros\t10.500");
  });
});
