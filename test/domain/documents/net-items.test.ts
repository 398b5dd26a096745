import { expect, test } from "vitest";
import { netOf } from "#domain/documents/net-items.ts";

const of = (concept: string, totalCents: number, vat = 2100) => ({ concept, vat, totalCents });

test("what documents say together is summed by concept and rate, and what comes to nothing is left out", () => {
  expect(netOf([of("Car", 100), of("Seat", 20), of("Car", 30), of("Car", 5, 1000)], [of("Seat", -20)])).toEqual([
    of("Car", 130),
    of("Car", 5, 1000),
  ]);
});

test("credit that names no concept is taken off those of its rate in order, and what is left of it stands for itself", () => {
  const invoiced = [of("Fee", -10), of("Car", 100), of("Tax-free", 50, 0), of("Seat", 20)];
  expect(netOf(invoiced, [of("Note of A/1", -110)])).toEqual([of("Fee", -10), of("Tax-free", 50, 0), of("Seat", 10)]);
  expect(netOf(invoiced, [of("Note of A/1", -130)])).toEqual([
    of("Fee", -10),
    of("Tax-free", 50, 0),
    of("Note of A/1", -10),
  ]);
  expect(netOf([of("Car", 100)], [of("Note of A/1", -40), of("Car", -60)])).toEqual([]);
});
