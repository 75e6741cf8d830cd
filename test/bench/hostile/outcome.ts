/** What came of a request, in a few words. */
export function outcomeOf(text: string, status: number): string {
  const reason = /"reasons":\[\{"code":"([a-z_]+)","message":"([^"]{0,120})/.exec(text);
  if (reason) return `${reason[1]}: ${reason[2]}`;
  const error = /"message":"([^"]{0,100})/.exec(text);
  return status === 200 ? (/"stop_reason":"(\w+)"/.exec(text)?.[1] ?? "200") : `${status} ${error?.[1] ?? ""}`;
}
