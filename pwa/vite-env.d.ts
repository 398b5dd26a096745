declare module "*.css";
declare module "*.css?inline" {
  const text: string;
  export default text;
}
declare module "*?url" {
  const address: string;
  export default address;
}
