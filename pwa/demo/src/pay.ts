import { apiOrigin, type PlacementAnswer, type SalesProcess } from "./api.ts";

/** Takes the visitor to the payment page, as booking websites do: by a form. */
export function pay(path: string, booked: PlacementAnswer, process: SalesProcess, summaryUrl: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = new URL(path, apiOrigin).href;
  const values = {
    id: booked.free_access_id,
    payment: process.can_pay_deposit ? "deposit" : "total",
    payment_method_id: booked.payment_method_id ?? "",
    summary_url: summaryUrl,
  };
  for (const [name, value] of Object.entries(values)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
