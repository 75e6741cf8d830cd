/** Reads the parameters of a query. Pure. Nothing is ignored: a misread filter would show too much, and `dry_rnu=true` must not write. */
import { err, ok, type Result } from "../lib/result.ts";
import { badRequest, type Problem } from "./problem.ts";

export interface Parameter<T> {
  /** Undefined for a value that is not accepted. */
  readonly read: (text: string) => T | undefined;
  /** What is accepted, for the message. */
  readonly accepts: string;
}

interface DefaultParameter<T> extends Parameter<T> {
  /** The value of an absent parameter. */
  readonly absent: T;
}

export const text: Parameter<string> = {
  read: (value) => (value.length >= 1 && value.length <= 256 ? value : undefined),
  accepts: "1 to 256 characters",
};
/** Entries per page. */
export const limit: DefaultParameter<number> = {
  read: (value) => (/^([1-9][0-9]?|100)$/.test(value) ? Number(value) : undefined),
  accepts: "a whole number from 1 to 100",
  absent: 20,
};
export const flag: Parameter<boolean> = {
  read: (value) => (value === "true" || value === "false" ? value === "true" : undefined),
  accepts: "`true` or `false`",
};
export const order: DefaultParameter<"asc" | "desc"> = {
  read: (value) => (value === "asc" || value === "desc" ? value : undefined),
  accepts: "`asc` or `desc`",
  absent: "desc",
};

type ValueOf<P> = P extends Parameter<infer T> ? T : never;
type WithDefault<S> = { [K in keyof S]: S[K] extends DefaultParameter<unknown> ? K : never }[keyof S];
type Values<S> = { [K in WithDefault<S>]: ValueOf<S[K]> } & { [K in Exclude<keyof S, WithDefault<S>>]?: ValueOf<S[K]> };

export function readParams<S extends Readonly<Record<string, Parameter<unknown>>>>(
  { url }: Pick<Request, "url">,
  known: S,
): Result<Values<S>, Problem> {
  const values = new Map<string, unknown>();
  for (const [name, value] of new URL(url).searchParams) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) {
      const accepted = Object.keys(known).join(", ");
      const message = `unknown parameter \`${name.slice(0, 64)}\`; accepted are ${accepted || "none"}`;
      return err(badRequest(name.slice(0, 64), message, "unknown_parameter"));
    }
    if (values.has(name)) return err(badRequest(name, `\`${name}\` is given twice; give it once`));
    const read = parameter.read(value);
    if (read === undefined) return err(badRequest(name, `\`${name}\` must be ${parameter.accepts}`));
    values.set(name, read);
  }
  for (const [name, parameter] of Object.entries(known))
    if (!values.has(name) && "absent" in parameter) values.set(name, parameter.absent);
  return ok(Object.fromEntries(values) as Values<S>);
}
