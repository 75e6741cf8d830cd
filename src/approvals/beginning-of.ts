/** The beginning of a text, no character cut in half. Pure. */
export function beginningOf(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && text.length > max ? max - 1 : max);
}
