import * as flows from "@medusajs/medusa/core-flows";

// Creates what a visitor needs: the shop's key, a region, and a product with enough stock.
export default async function makeFirstOffer({ container }) {
  const make = async (workflow, input) => (await workflow(container).run({ input })).result;
  const query = container.resolve("query");
  const first = async (entity) => (await query.graph({ entity, fields: ["id"] })).data[0];
  const [channel] = await make(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Bench" }] });
  const [region] = await make(flows.createRegionsWorkflow, {
    regions: [{ name: "Bench", currency_code: "eur", countries: ["es"], payment_providers: ["pp_system_default"] }],
  });
  const [profile] = await make(flows.createShippingProfilesWorkflow, { data: [{ name: "Bench", type: "default" }] });
  const [location] = await make(flows.createStockLocationsWorkflow, { locations: [{ name: "Bench" }] });
  await make(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] });
  const [key] = await make(flows.createApiKeysWorkflow, {
    api_keys: [{ title: "Bench", type: "publishable", created_by: "" }],
  });
  await make(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const variant = { title: "S", sku: "BENCH", options: { Size: "S" }, prices: [{ amount: 10, currency_code: "eur" }] };
  const [product] = await make(flows.createProductsWorkflow, {
    products: [
      {
        title: "Bench",
        status: "published",
        shipping_profile_id: profile.id,
        options: [{ title: "Size", values: ["S"] }],
        sales_channels: [{ id: channel.id }],
        variants: [variant],
      },
    ],
  });
  const item = await first("inventory_item");
  const level = { inventory_item_id: item.id, location_id: location.id, stocked_quantity: 1_000_000 };
  await make(flows.createInventoryLevelsWorkflow, { inventory_levels: [level] });
  console.log(`BENCH ${JSON.stringify({ key: key.token, region: region.id, variant: product.variants[0].id })}`);
}
