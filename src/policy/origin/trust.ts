/** Which fields of a tool's results are trusted. Pure. */

/** All of them, none, or those that JSON pointers with `*` point to. */
type TrustSetting = boolean | readonly string[];

/** Of several groups' settings: of different fields those that all trust. */
export function agreedTrust(settings: readonly (TrustSetting | undefined)[]): TrustSetting {
  const values = settings.filter((value) => value !== undefined);
  if (values.length === 0 || values.includes(false)) return false;
  const [first, ...others] = values.filter((value) => typeof value === "object");
  return first === undefined || first.filter((field) => others.every((fields) => fields.includes(field)));
}
