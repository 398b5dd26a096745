import { QuotePage } from "./quotes/quote-page.tsx";
import { QuoteSearch } from "./quotes/quote-search.tsx";

/** Quote list, or one quote with its actions. */
export default function Quotes({ path }: { readonly path: readonly string[] }) {
  const [id, action] = path;
  if (id === undefined || id === "") return <QuoteSearch />;
  // The key differs for each action, so that the quote is loaded again after its change form.
  return <QuotePage key={`${id} ${action ?? ""}`} id={id} action={action} />;
}
