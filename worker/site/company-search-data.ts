import type { PublicCompany } from "#worker/usecases/catalogue/read-company.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Returns the branches as JSON for search engines (schema.org AutoRental), safe inside a script element. */
export function writeStructuredData(
  { name, countryCode, branches }: PublicCompany,
  { ownUrl, about }: { readonly ownUrl: string; readonly about: string },
): string {
  const data = branches.map((contact) => ({
    "@context": "https://schema.org",
    "@type": "AutoRental",
    name: `${name} · ${contact.name}`,
    description: about,
    url: `${ownUrl}/`,
    ...(contact.phoneNumber && { telephone: contact.phoneNumber }),
    ...(contact.email && { email: contact.email }),
    address: {
      "@type": "PostalAddress",
      ...(contact.street && { streetAddress: contact.street }),
      ...(contact.city && { addressLocality: contact.city }),
      ...(contact.state && { addressRegion: contact.state }),
      ...(contact.zip && { postalCode: contact.zip }),
      addressCountry: contact.country ?? countryCode,
    },
    ...(contact.latitude !== null &&
      contact.longitude !== null && {
        geo: { "@type": "GeoCoordinates", latitude: contact.latitude, longitude: contact.longitude },
      }),
    openingHoursSpecification: contact.openingHours.map(({ weekday, opens, closes }) => ({
      "@type": "OpeningHoursSpecification",
      dayOfWeek: `https://schema.org/${WEEKDAYS[weekday - 1]}`,
      opens,
      closes,
    })),
    ...(contact.specialDays.length > 0 && {
      specialOpeningHoursSpecification: contact.specialDays.flatMap(toSpecialHours),
    }),
  }));
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

// A closed day is written with equal times, as search engines expect.
function toSpecialHours({ date, times }: PublicCompany["branches"][number]["specialDays"][number]) {
  return (times.length > 0 ? times : ["00:00–00:00"]).map((time) => {
    const [opens, closes] = time.split("–");
    return { "@type": "OpeningHoursSpecification", validFrom: date, validThrough: date, opens, closes };
  });
}
