import type { Cents } from "#domain/money.ts";

/** What a list may be narrowed by, in the words of the interface; absent: not narrowed. Moments in epoch ms. */
export interface Filters {
  readonly updatedFrom?: number | undefined;
  readonly dateFrom?: string | number | undefined;
  readonly dateTo?: string | number | undefined;
  readonly status?: string | undefined;
  readonly accountingProcessed?: number | undefined;
  readonly chargeAccountingProcessed?: number | undefined;
  readonly branchCode?: string | undefined;
  readonly branchGroupId?: number | undefined;
}

/** Which part of a list is asked for: by its number, or what comes after an entity that was seen. */
export interface PageRequest {
  readonly pageSize: number;
  /** From 0. */
  readonly page: number;
  /** The id of the last entity seen, as the wire shows it. */
  readonly after: string | number | undefined;
  readonly filters: Filters;
}

/** A page of a list, and how many there are in all. */
export interface Page<Entity> {
  readonly rows: readonly Entity[];
  readonly total: number;
}

interface Moments {
  /** Epoch ms. */
  readonly createdAt: number;
  readonly lastUpdate: number;
}

interface Address {
  readonly addressStreetAddress: string | null;
  readonly addressCity: string | null;
  readonly addressState: string | null;
  readonly addressZip: string | null;
  readonly addressCountryCode: string | null;
  readonly addressLat: number | null;
  readonly addressLng: number | null;
}

interface Classified {
  readonly classifierId: number | null;
  readonly classifierName: string | null;
}

export interface ExtractedBranchGroup extends Moments, Address, Classified {
  readonly id: number;
  readonly name: string;
  readonly timezone: string;
}

export interface ExtractedBranch extends Moments, Address, Classified {
  readonly code: string;
  readonly name: string;
  readonly placeType: string;
  readonly timezone: string;
  readonly currency: string;
  readonly branchGroupId: number;
  readonly companyName: string | null;
  readonly documentId: string | null;
  readonly phoneNumber: string | null;
  readonly whatsappNumber: string | null;
  readonly email: string | null;
  readonly emergencyNumber: string | null;
  readonly commercialRegister: string | null;
}

export interface ExtractedPlace extends Moments, Address, Classified {
  readonly id: number;
  readonly name: string;
  readonly placeType: string;
  readonly isPickup: boolean;
  readonly isReturn: boolean;
  readonly webPublic: boolean;
  readonly priceCents: Cents;
  readonly branchCode: string;
  readonly iata: string | null;
}

export interface ExtractedCategory extends Moments {
  readonly code: string;
  readonly name: string;
  readonly familyId: number | null;
  readonly familyName: string | null;
  readonly active: boolean;
  readonly webPublic: boolean;
}

export interface ExtractedVehicle extends Moments {
  readonly id: number;
  readonly reference: string;
  readonly name: string;
  readonly categoryCode: string;
  readonly branchGroupId: number;
  readonly ownerBranchGroupId: number;
  readonly branchCode: string;
  readonly brand: string | null;
  readonly model: string | null;
  readonly plate: string | null;
  readonly alias: string | null;
  readonly color: string | null;
  readonly characteristic1: string | null;
  readonly characteristic2: string | null;
  readonly characteristic3: string | null;
  readonly characteristic4: string | null;
  readonly acquisitionMode: string;
  readonly acquisitionDate: string | null;
  readonly soldReleaseDate: string | null;
  readonly purchasePriceCents: Cents | null;
  readonly purchaseUnits: number | null;
  readonly salePriceCents: Cents | null;
  readonly rentingMonthlyFeeCents: Cents | null;
  readonly insuranceMonthlyFeeCents: Cents | null;
  readonly rentingDuration: number | null;
  readonly usageUnits: number;
  readonly usageAvailableFuel: string | null;
  readonly fuel: string;
  readonly tankCapacityHundredths: number | null;
  readonly active: boolean;
  readonly assignable: boolean;
}

/** The names beside a vehicle. */
export interface VehicleNames {
  readonly categoryName: string;
  readonly branchGroupName: string;
  readonly ownerBranchGroupName: string;
  readonly branchName: string;
}

export interface ExtractedCustomer extends Moments {
  readonly id: number;
  readonly customerType: string;
  readonly fullName: string | null;
  readonly name: string;
  readonly surname: string;
  readonly documentId: string | null;
  readonly documentIdDate: string | null;
  readonly documentIdExpirationDate: string | null;
  readonly originCountry: string | null;
  readonly dateOfBirth: string | null;
  readonly branchCode: string | null;
  readonly salesChannelCode: string | null;
  readonly language: string | null;
  readonly email: string | null;
  readonly phoneNumberPrefix: string | null;
  readonly phoneNumber: string | null;
  readonly mobilePhonePrefix: string | null;
  readonly mobilePhone: string | null;
  readonly addressStreet: string | null;
  readonly addressNumber: string | null;
  readonly addressComplement: string | null;
  readonly addressCity: string | null;
  readonly addressState: string | null;
  readonly addressCountry: string | null;
  readonly addressZip: string | null;
}
