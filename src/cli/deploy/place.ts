/** The region of a deployment's databases and bucket: `DATA_LOCATION`, `DATA_JURISDICTION`. Existing ones are not moved. */
import { err, ok, type Result } from "../../lib/result.ts";

export interface StorePlace {
  /** A hint: the nearest part of the world. */
  readonly location?: string | undefined;
  /** Bounds where data is stored; Cloudflare then leaves a hint out. */
  readonly jurisdiction?: string | undefined;
}

const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"];
const JURISDICTIONS = ["eu", "fedramp", "us"];

export function readPlace(plain: Readonly<Record<string, string>>): Result<StorePlace, readonly string[]> {
  const { DATA_LOCATION: location, DATA_JURISDICTION: jurisdiction } = plain;
  const errors = [
    ...problemOf("DATA_LOCATION", location, LOCATIONS),
    ...problemOf("DATA_JURISDICTION", jurisdiction, JURISDICTIONS),
  ];
  return errors.length > 0 ? err(errors) : ok({ location, jurisdiction });
}

const problemOf = (name: string, value: string | undefined, known: readonly string[]): readonly string[] =>
  value === undefined || known.includes(value) ? [] : [`${name}: write ${known.join(", ")}, or leave it out`];

/** Options for wrangler's commands that create a database or a bucket. */
export function placeFlags({ location, jurisdiction }: StorePlace): readonly string[] {
  if (jurisdiction !== undefined) return ["--jurisdiction", jurisdiction];
  return location === undefined ? [] : ["--location", location];
}
