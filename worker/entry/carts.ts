export { ShoppingCart } from "#worker/carts/shopping-cart.ts";

/**
 * Live carts of all cells, in a Worker of their own, so that a company moves to another cell with its carts. It answers
 * no requests (decision 0073).
 */
export default { fetch: () => new Response(null, { status: 404 }) };
