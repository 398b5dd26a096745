import { useState } from "preact/hooks";
import type { CustomerRequest } from "#worker/api/office/customer-messages.ts";
import { sendOfficeRequest, toOfficePath } from "../api.ts";
import type { FormField } from "../desk/fields.ts";
import { FormSheet } from "../desk/form-sheet.tsx";
import { goToPage } from "../route.ts";
import { t } from "../texts.ts";
import { type CustomerDetail, listCustomerFields } from "./customers/customer.ts";
import { CustomerPage } from "./customers/customer-page.tsx";
import { CustomerSearch } from "./customers/customer-search.tsx";

const CONFIRM_NEW: FormField<keyof CustomerRequest> = { name: "confirm_new", kind: "flag", isWide: true };

/** Customer list, new customer form, or one customer with its actions. */
export default function Customers({ path }: { readonly path: readonly string[] }) {
  const [id] = path;
  const [isDuplicate, setDuplicate] = useState(false);
  const send = async (body: CustomerRequest, key: string) => {
    const answer = await sendOfficeRequest<CustomerDetail, CustomerRequest>("POST", toOfficePath("/customers"), {
      body,
      key,
    });
    if (answer.body.code === "possible_duplicate") setDuplicate(true);
    return answer;
  };
  if (id && id !== "new") return <CustomerPage key={id} id={id} />;
  return (
    <>
      <CustomerSearch />
      {id === "new" && (
        <FormSheet<CustomerDetail, CustomerRequest>
          title={t("newCustomer")}
          draft={["customer", "new"]}
          fields={(values) => [...listCustomerFields(values), ...(isDuplicate ? [CONFIRM_NEW] : [])]}
          begin={{ customer_type: "individual" }}
          submit={t("save")}
          send={send}
          onDone={({ body }) => body.customer && goToPage("customers", body.customer.id)}
          onClose={() => goToPage("customers")}
        />
      )}
    </>
  );
}
