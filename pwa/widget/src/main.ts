import { RentalBooking } from "./element.tsx";

if (!customElements.get("rental-booking")) customElements.define("rental-booking", RentalBooking);
