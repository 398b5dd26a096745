import { ask, office } from "../api.ts";
import { FormSheet } from "../desk/form-sheet.tsx";
import { go } from "../route.ts";
import { t } from "../texts.ts";
import { type CustomerDetail, customerFields } from "./customers/customer.ts";
import { CustomerPage } from "./customers/one.tsx";
import { CustomerSearch } from "./customers/search.tsx";

/** Customer list, new customer form, or one customer with its actions. */
export default function Customers({ path }: { readonly path: readonly string[] }) {
  const [id] = path;
  if (id && id !== "new") return <CustomerPage key={id} id={id} />;
  return (
    <>
      <CustomerSearch />
      {id === "new" && (
        <FormSheet
          title={t("newCustomer")}
          draft={["customer", "new"]}
          fields={customerFields()}
          begin={{ customer_type: "individual" }}
          submit={t("save")}
          send={(body, key) => ask<CustomerDetail>("POST", office("/customers"), { body, key })}
          onDone={({ body }) => body.customer && go("customers", body.customer.id)}
          onClose={() => go("customers")}
        />
      )}
    </>
  );
}
