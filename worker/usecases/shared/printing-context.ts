import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { readImageInfo } from "#domain/check-in/images.ts";
import type { Lessor } from "#domain/printing/contract-text.ts";
import type { PrintedParty, PrintoutSettings } from "#domain/printing/documents.ts";
import { MAX_PRINTED_PIXELS, type PrintedImage } from "#domain/printing/printout.ts";
import type { BranchIssuerRow, DocumentIssuer, LetterheadRow } from "#worker/store/printing/letterhead.ts";

const PLAIN_COLOR = "#1f4e79";

/** Returns the issuing branch, with its company at the time of issue. */
export function getDocumentIssuer(
  issuers: readonly BranchIssuerRow[],
  { branchCode, issuedBy }: { readonly branchCode: string; readonly issuedBy: DocumentIssuer | null },
): BranchIssuerRow | undefined {
  const branch = issuers.find(({ code }) => code === branchCode);
  return branch && { ...branch, ...issuedBy };
}

/** Returns the issuer and layout of a branch's printouts. */
export function createPrintoutSettings(
  { settings }: Catalogue,
  [letterhead]: readonly LetterheadRow[],
  issuer: BranchIssuerRow | undefined,
  language: PlatformLanguage,
): PrintoutSettings {
  const address = getAddressLines(issuer);
  const contact = [issuer?.phoneNumber, issuer?.email].filter(Boolean).join(" · ");
  return {
    letterhead: {
      name: settings.accountName,
      lines: [address.join(", "), contact].filter(Boolean),
      color: letterhead?.color ?? PLAIN_COLOR,
      logo: letterhead?.logo ? toPrintableImage(Buffer.from(letterhead.logo, "base64")) : undefined,
      foot: letterhead?.foot || issuer?.commercialRegister || "",
    },
    issuer: issuerParty(settings.accountName, issuer),
    language,
    money: { currency: settings.currency, decimals: settings.currencyDecimals },
    country: settings.countryCode,
    territory: issuer?.taxTerritory ?? "iva",
  };
}

/** Parses an image. Returns undefined if it can't be printed or is too large for the printer's memory. */
export function toPrintableImage(bytes: Uint8Array): PrintedImage | undefined {
  const image = readImageInfo(bytes);
  if (!image || image.width * image.height > MAX_PRINTED_PIXELS) return undefined;
  switch (image.contentType) {
    case "image/png":
      return { type: "png", base64: toBase64(bytes) };
    case "image/jpeg":
      return { type: "jpeg", base64: toBase64(bytes) };
    default:
      return undefined;
  }
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function issuerParty(accountName: string, issuer: BranchIssuerRow | undefined): PrintedParty {
  return {
    name: issuer?.companyName || accountName,
    taxId: issuer?.documentId ?? undefined,
    address: getAddressLines(issuer),
  };
}

/** Returns the company as named in its contracts. */
export function getLessor(accountName: string, issuer: BranchIssuerRow | undefined): Lessor {
  const { name, taxId, address } = issuerParty(accountName, issuer);
  return {
    name,
    taxId,
    address: address.join(", ") || undefined,
    phone: issuer?.phoneNumber ?? undefined,
    email: issuer?.email ?? undefined,
  };
}

function getAddressLines(issuer: BranchIssuerRow | undefined): readonly string[] {
  if (!issuer) return [];
  const { street, zip, city, state } = issuer;
  const place = [zip, city].filter(Boolean).join(" ");
  return [street ?? "", [place, state === city ? "" : state].filter(Boolean).join(", ")].filter(Boolean);
}
