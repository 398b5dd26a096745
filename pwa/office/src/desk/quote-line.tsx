import { money } from "../account.ts";

interface Line {
  readonly description: string;
  readonly quantity: number;
  /** As it is told. */
  readonly cost: string;
}

/** One thing of a quote's table: how many of what, and what that costs. */
export function QuoteLine({ line: { description, quantity, cost } }: { readonly line: Line }) {
  return (
    <tr>
      <th scope="row">
        {quantity > 1 ? `${quantity} × ` : ""}
        {description}
      </th>
      <td class="number">{money(cost)}</td>
    </tr>
  );
}
