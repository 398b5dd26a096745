import { signal } from "@preact/signals";
import type { CustomerErasureRequest } from "#worker/api/office/customer-messages.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { saveFile } from "../../desk/save-file.ts";
import type { CustomerDetail } from "./customer.ts";

/** Whether the server supports data export and erasure. Checked once. */
export const canExportAndEraseCustomers = signal(true);

// Hides the feature if the server lacks it: the 404 then has another code than that of a missing customer.
function take<Given extends OfficeResponse>(answer: Given): Given {
  if (answer.status === 404 && answer.body.code !== "customer_not_found") canExportAndEraseCustomers.value = false;
  return answer;
}

/** Erases a customer's data except what must be retained by law. */
export async function eraseCustomer(
  id: number,
  body: CustomerErasureRequest,
  key: string,
): Promise<OfficeResponse<CustomerDetail>> {
  return take(
    await sendOfficeRequest<CustomerDetail, CustomerErasureRequest>("POST", toOfficePath(`/customers/${id}/erase`), {
      body,
      key,
    }),
  );
}

/** Downloads all data of a customer. Returns the response if rejected. */
export async function downloadCustomerData(id: number): Promise<OfficeResponse | undefined> {
  const answer = take(await sendOfficeRequest("GET", toOfficePath(`/customers/${id}/export`)));
  if (answer.status !== 200) return answer;
  const file = new Blob([JSON.stringify(answer.body, null, 2)], { type: "application/json" });
  saveFile(file, `customer-${id}.json`);
  return undefined;
}
