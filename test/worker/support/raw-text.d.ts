/** A file's text, as vite imports it. */
declare module "*?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: it is how vite gives it
  export default text;
}
