import { describe, expect, test } from "vitest";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftMissingContractDocuments,
  draftSurchargeDocuments,
  type EarlierDocument,
} from "#domain/documents/invoicing.ts";
import { createContractToInvoice } from "#support/contract-to-invoice.ts";

const FINE = { concept: "Fine: 2030/123", quantity: 1, unitCents: 4000, vat: 2100 };
const EXTRA = { description: FINE.concept, quantity: 1, unitCents: 4000, vat: 2100 };

const asDocument = (draft: DocumentDraft, isIssued: boolean, id: number): EarlierDocument => ({
  ...draft,
  ...{
    id,
    serie: isIssued ? "A" : "",
    number: isIssued ? id : 0,
    totalCents: draft.sums.totalCents,
    credited: [],
    isIssued,
  },
});
const [closing] = draftMissingContractDocuments(createContractToInvoice());
const invoiced = (isIssued: boolean) => (closing ? [asDocument(closing, isIssued, 1)] : []);
const createContractWithExtra = (changes: Partial<ContractToInvoice> = {}) =>
  createContractToInvoice({ extras: [EXTRA], ...changes });
const summarizeDrafts = ({ drafts, isInOpenDraft }: ReturnType<typeof draftSurchargeDocuments>) => ({
  isInOpenDraft,
  drafts: drafts.map(({ kind, mode, draftId, items, sums }) => ({
    ...{ kind, mode, draftId, total: sums.totalCents },
    items: items.map(({ concept, vat }) => [concept, vat]),
  })),
});

describe("the document of a later charge", () => {
  // Proves "rules.md: the life of a contract": Its paper is of it alone, the open draft with it, or all that is left
  test("invoices only the later charge if the contract is already invoiced, even if partly credited", () => {
    const [firm] = invoiced(true);
    const credited = firm
      ? [{ ...firm, credited: [{ concept: "Rental", vat: 2100, subtotalCents: -826, totalCents: -1000 }] }]
      : [];
    for (const earlier of [invoiced(true), credited])
      expect(summarizeDrafts(draftSurchargeDocuments(createContractWithExtra({ earlier }), FINE))).toEqual({
        isInOpenDraft: false,
        drafts: [
          {
            ...{ kind: "invoice", mode: "reservation_extra", draftId: undefined, total: 4000 },
            items: [[FINE.concept, 2100]],
          },
        ],
      });
  });

  test("excludes the agent's retained amount from a later charge's invoice if earlier invoices are credited", () => {
    const [firm] = invoiced(true);
    const credited = firm
      ? [{ ...firm, credited: [{ concept: "Rental", vat: 2100, subtotalCents: 0, totalCents: -firm.totalCents }] }]
      : [];
    const { drafts } = draftSurchargeDocuments(
      createContractWithExtra({ earlier: credited, agentPrepaidCents: 5000 }),
      FINE,
    );
    expect(drafts).toMatchObject([{ agentPrepaidCents: 0, sums: { totalCents: 4000 } }]);
  });

  test("adds a later charge to the open draft, or drafts the whole contract if nothing is invoiced", () => {
    const open = summarizeDrafts(draftSurchargeDocuments(createContractWithExtra({ earlier: invoiced(false) }), FINE));
    expect(open).toMatchObject({
      isInOpenDraft: true,
      drafts: [{ mode: "reservation_breakdown", draftId: 1, total: 13_000 }],
    });
    const none = summarizeDrafts(draftSurchargeDocuments(createContractWithExtra(), FINE));
    expect(none).toMatchObject({ isInOpenDraft: true, drafts: [{ draftId: undefined, total: 13_000 }] });
  });

  test("creates a separate document for a later charge if the draft already has five tax rates", () => {
    const [first] = invoiced(true);
    const rates = [0, 400, 500, 1000, 1600];
    const items = rates.map((vat) => ({ ...FINE, concept: `At ${vat}`, vat }));
    const full = first && {
      ...first,
      ...{ id: 2, isIssued: false, mode: "reservation_extra" as const },
      items: items.map((item) => ({ ...item, subtotalCents: 0, taxesCents: 0, totalCents: 4000 }) as never),
    };
    const earlier = first && full ? [first, full] : [];
    expect(summarizeDrafts(draftSurchargeDocuments(createContractWithExtra({ earlier }), FINE))).toMatchObject({
      isInOpenDraft: false,
      drafts: [{ draftId: undefined, total: 4000 }],
    });
  });

  test("adds no tax on a later charge to an internal department", () => {
    const { customer } = createContractToInvoice();
    const department = { ...customer, type: "internal_department" as const };
    const [bond] = draftMissingContractDocuments(createContractToInvoice({ customer: department }));
    const earlier = bond ? [asDocument(bond, true, 1)] : [];
    expect(
      summarizeDrafts(draftSurchargeDocuments(createContractWithExtra({ customer: department, earlier }), FINE)),
    ).toEqual({
      isInOpenDraft: false,
      drafts: [
        {
          ...{ kind: "internal_bond", mode: "reservation_breakdown", draftId: undefined, total: 4000 },
          items: [[FINE.concept, 0]],
        },
      ],
    });
  });
});
