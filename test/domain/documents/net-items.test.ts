import { expect, test } from "vitest";
import { subtractCreditedConcepts } from "#domain/documents/net-items.ts";

const createItem = (concept: string, totalCents: number, vat = 2100) => ({ concept, vat, totalCents });

test("sums items of several documents by concept and tax rate, and drops zero sums", () => {
  expect(
    subtractCreditedConcepts(
      [createItem("Car", 100), createItem("Seat", 20), createItem("Car", 30), createItem("Car", 5, 1000)],
      [createItem("Seat", -20)],
    ),
  ).toEqual([createItem("Car", 130), createItem("Car", 5, 1000)]);
});

test("deducts a credit without a matching concept from the items of its tax rate in order", () => {
  const invoiced = [
    createItem("Fee", -10),
    createItem("Car", 100),
    createItem("Tax-free", 50, 0),
    createItem("Seat", 20),
  ];
  expect(subtractCreditedConcepts(invoiced, [createItem("Note of A/1", -110)])).toEqual([
    createItem("Fee", -10),
    createItem("Tax-free", 50, 0),
    createItem("Seat", 10),
  ]);
  expect(subtractCreditedConcepts(invoiced, [createItem("Note of A/1", -130)])).toEqual([
    createItem("Fee", -10),
    createItem("Tax-free", 50, 0),
    createItem("Note of A/1", -10),
  ]);
  expect(
    subtractCreditedConcepts([createItem("Car", 100)], [createItem("Note of A/1", -40), createItem("Car", -60)]),
  ).toEqual([]);
});
