import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { MailBrand } from "#worker/mail/mail-html.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Path of the company's logo on its own site. */
export const LOGO_PATH = "/logo";

/** Returns the company's name, color and logo for a mail. */
export function getMailBrand({ ownUrl }: Pick<Tenant, "ownUrl">, { settings, brand }: Catalogue): MailBrand {
  return {
    company: settings.accountName,
    color: brand.color,
    logo: brand.hasLogo ? ownUrl + LOGO_PATH : undefined,
  };
}
