import { formatMoney } from "../account.ts";

interface Line {
  readonly description: string;
  readonly quantity: number;
  /** Amount in API format, a decimal text. */
  readonly cost: string;
}

/** Row of a quote with quantity, description and cost. */
export function QuoteLine({ line: { description, quantity, cost } }: { readonly line: Line }) {
  return (
    <tr>
      <th scope="row">
        {quantity > 1 ? `${quantity} × ` : ""}
        {description}
      </th>
      <td class="number">{formatMoney(cost)}</td>
    </tr>
  );
}
