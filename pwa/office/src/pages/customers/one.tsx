import { useEffect, useRef, useState } from "preact/hooks";
import { phoneLink } from "#shared/links.ts";
import { may } from "../../account.ts";
import { type Answer, ask, office } from "../../api.ts";
import { AskSheet, type Kept } from "../../desk/ask-sheet.tsx";
import { type AskedField, labelOf, wordsFor } from "../../desk/fields.ts";
import { countryName } from "../../desk/names.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { NotRead, Older, useWhole } from "../../desk/use-whole.tsx";
import { go, linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { Timeline } from "../reservations/timeline.tsx";
import { Consent } from "./consent.tsx";
import { Contracts } from "./contracts.tsx";
import { customerFields, nameOf, phoneOf, type WholeCustomer } from "./customer.ts";
import { MergeSheet } from "./merge.tsx";
import { eraseCustomer, isOffered, saveExport } from "./personal-data.ts";

type Doing = "change" | "merge" | "erase";

const PROBLEMS = { 400: "noSuchCustomer", 404: "noSuchCustomer" } as const;

// What a merge says is said on the page of who stays.
let saidBefore = "";

/** One customer: what is known of them, their contracts and history, and what can be done. */
export function CustomerPage({ id }: { readonly id: string }) {
  const [notice, setNotice] = useState("");
  const [wrong, setWrong] = useState("");
  const [open, setOpen] = useState<Doing>();
  const status = useRef<HTMLParagraphElement>(null);
  const path = `/customers/${encodeURIComponent(id)}`;
  const { whole, setWhole, problem, read } = useWhole<WholeCustomer>(office(path), { problems: PROBLEMS });
  useEffect(() => {
    setNotice(saidBefore);
    saidBefore = "";
  }, [id]);
  if (!whole)
    return (
      <NotRead
        title={t("customer")}
        problem={problem}
        onRetry={read}
        list={linkTo("customers")}
        listName={t("customers")}
      />
    );
  const { customer: of, history } = whole;
  const done = ({ body }: Answer, words: string) => {
    setOpen(undefined);
    setWrong("");
    setNotice(words);
    if (body["customer"]) setWhole(body as unknown as WholeCustomer);
    else void read();
    status.current?.focus();
  };
  const takeOut = () =>
    saveExport(of.id).then(
      (refusal) => {
        const { notice: words } = refusal ? refusedBy(refusal) : { notice: "" };
        setWrong(words);
        setNotice(refusal ? "" : t("exported"));
      },
      () => setWrong(t("failed")),
    );
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("customers")}>{t("customers")}</a>
      </p>
      <div class="title">
        <h1>{nameOf(of)}</h1>
        <span class="soft">
          {t("numbered", { n: of.id })} · {tOr(`customerType.${of.customer_type}`, of.customer_type)}
        </span>
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <Older problem={problem} onRetry={read} />
      {wrong && <p role="alert">{wrong}</p>}
      {of.merged_into_id !== null ? (
        <p class="notice waiting">
          {t("mergedInto")}{" "}
          <a href={linkTo("customers", of.merged_into_id)}>{t("numbered", { n: of.merged_into_id })}</a>
        </p>
      ) : (
        <div class="moves">
          {may("sell") && (
            <button type="button" class="main" onClick={() => setOpen("change")}>
              {t("do.change")}
            </button>
          )}
          {may("manage") && (
            <button type="button" onClick={() => setOpen("merge")}>
              {t("mergeCustomer")}
            </button>
          )}
          {may("administer") && isOffered.value && (
            <button type="button" onClick={takeOut}>
              {t("exportCustomer")}
            </button>
          )}
          {may("manage") && isOffered.value && (
            <button type="button" class="danger" onClick={() => setOpen("erase")}>
              {t("eraseCustomer")}
            </button>
          )}
        </div>
      )}
      <div class="columns">
        <div class="column">
          <Contracts of={of} count={of.contracts} />
          <Timeline entries={history} />
        </div>
        <div class="column narrow">
          <Known of={of} />
          {of.marketing && <Consent of={of} said={of.marketing} onDone={done} />}
        </div>
      </div>
      {open === "change" && (
        <AskSheet
          title={`${t("do.change")} · ${nameOf(of)}`}
          lead={t("aboutCustomerChange")}
          draft={["customer", id]}
          fields={customerFields()}
          seen={of}
          isChange
          submit={t("save")}
          send={(body, key) => ask("PATCH", office(path), { body, key })}
          thingOf={(body) => body["customer"] as Kept | undefined}
          onDone={(answer) => done(answer, t("saved"))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "merge" && (
        <MergeSheet
          of={of}
          onClose={() => setOpen(undefined)}
          onDone={(kept, words) => {
            setOpen(undefined);
            saidBefore = words;
            if (kept === of.id) void read().then(() => setNotice(words));
            else go("customers", kept);
          }}
        />
      )}
      {open === "erase" && (
        <AskSheet
          title={`${t("eraseCustomer")} · ${nameOf(of)}`}
          lead={t("aboutErase")}
          draft={["customer-erase", id]}
          fields={[{ name: "reason", kind: "text", required: true, isWide: true }]}
          submit={t("eraseCustomer")}
          isDanger
          send={(body, key) => eraseCustomer(of.id, body, key)}
          onDone={(answer) => done(answer, t("erased"))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </main>
  );
}

const COUNTRIES: ReadonlySet<string> = new Set(["origin_country", "address_country"]);

function Known({ of }: { readonly of: WholeCustomer["customer"] }) {
  const phone = phoneOf(of);
  const isSaid = ({ name }: AskedField) =>
    of[name] != null && of[name] !== "" && !(phone && name === "phone_number_prefix");
  const wordsOf = (one: AskedField) => {
    if (one.name === "phone_number") return <a href={phoneLink(phone)}>{phone}</a>;
    return COUNTRIES.has(one.name) ? countryName(String(of[one.name])) : wordsFor(one, of[one.name]);
  };
  return (
    <section class="panel" aria-labelledby="known">
      <h2 id="known">{t("aboutCustomer")}</h2>
      <dl class="facts">
        {customerFields()
          .filter(isSaid)
          .map((one) => (
            <div key={one.name}>
              <dt>{labelOf(one)}</dt>
              <dd>{wordsOf(one)}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
