/** True in `npm start`, `npm run dev` and tests, false in deployments. Set when the Worker is bundled. */
declare const DEVELOPMENT_BUILD: boolean;

/** Font file as bytes. */
declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}
