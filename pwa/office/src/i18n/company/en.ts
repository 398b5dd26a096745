const texts = {
  "list.special-hours": "Special hours",
  "about.special-hours": "Opening hours of single dates, such as 24 December. They replace those of the weekday.",
  "hint.special-hours.rental_location_code": "Empty for all branches without special hours of their own that day.",
  "hint.special-hours.times": "Two rows make a break. Without rows, the branch is closed that day.",
  "field.times": "Open",
  openingWeek: "Opening hours",
  "about.opening-week": "The opening hours of a branch for each day of the week.",
  weekSaved: "Opening hours saved",
  weekAlways: "Without any time, the branch is open at any time.",
  closedAllDay: "Closed",
  addTime: "Add time: {day}",
  removeTime: "Remove time: {day}, {opens}",
  dayOpens: "{day}: opens",
  dayCloses: "{day}: closes",
  sameAsMonday: "Copy Monday to all days",
  copySeason: "Copy season",
  copyToYear: "Copy to the year",
  seasonCopied: "Copied with {prices} prices and {rules} selling rules:",
  copyUndone: "The copy was removed.",
  copyChanged: "The copy was changed since. Remove its parts one by one.",
};

export default texts;

export type CompanyTextKey = keyof typeof texts;
