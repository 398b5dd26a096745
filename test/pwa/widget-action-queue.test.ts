import { expect, test, vi } from "vitest";
import { ActionQueue } from "../../pwa/widget/src/action-queue.ts";

const HERE = "https://website.example/?rb=details";
const doNothing = async () => {};

test("sends changes of different items in order, and only the last change of the same item", async () => {
  const turns = new ActionQueue<() => Promise<void>>();
  const [first, last] = [vi.fn(doNothing), vi.fn(doNothing)];
  const overtaken = turns.enqueue("extra SEAT", HERE, first);
  void turns.enqueue("extra GPS", HERE, doNothing);
  void turns.enqueue("extra SEAT", HERE, last);
  expect(await overtaken).toBe(false);
  expect(turns.isSuperseded("extra SEAT")).toBe(true);
  expect(turns.next(HERE)?.resource).toBe("extra GPS");
  await turns.next(HERE)?.work();
  expect([first.mock.calls.length, last.mock.calls.length]).toEqual([0, 1]);
  expect([turns.next(HERE), turns.isSuperseded("extra SEAT")]).toEqual([undefined, false]);
});

test("ignores presses from a page that the visitor has left", async () => {
  const turns = new ActionQueue<() => Promise<void>>();
  const pressed = turns.enqueue("choose", "https://website.example/?rb=choose", doNothing);
  expect(turns.next(HERE)).toBeUndefined();
  expect(await pressed).toBe(false);
});

test("skips queued requests that relied on a failed change, and sends the visitor's newer change", async () => {
  const turns = new ActionQueue<() => Promise<void>>();
  const booked = turns.enqueue("book", HERE, doNothing);
  void turns.enqueue("extra SEAT", HERE, doNothing);
  turns.afterFailureOf("extra SEAT");
  expect(await booked).toBe(false);
  expect(turns.next(HERE)?.resource).toBe("extra SEAT");
});

test("drops a queued request that is no longer needed", async () => {
  const turns = new ActionQueue<() => Promise<void>>();
  const again = turns.enqueue("book", HERE, doNothing);
  turns.forget("book");
  expect([await again, turns.next(HERE)]).toEqual([false, undefined]);
});
