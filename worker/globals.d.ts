/** True in `npm start`, `npm run dev` and the tests; false in what is deployed. Set when the Worker is bundled. */
declare const DEVELOPMENT_BUILD: boolean;

/** A font's file: its bytes. */
declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}
