/** What a person allows without being asked again: kept, matched, told and withdrawn. Parts of a transaction. */
import type { ArgumentCondition, Grant, GrantTerms } from "../../../approvals/approval.ts";
import { grantCovers } from "../../../approvals/grant-terms.ts";
import { canonicalJson } from "../../../lib/canonical-json.ts";
import { hmacHex, sha256Hex } from "../../../lib/digest.ts";
import { newId } from "../../../lib/ids.ts";
import { redacted } from "../../../lib/redact.ts";
import { type AuditKeys, keyedDigest } from "../../audit-keys.ts";
import { first } from "../schema.ts";
import type { ApprovalRow } from "./rows.ts";

/** Of one user; the oldest gives way. */
const MAX_GRANTS = 500;

/** `digest`: of a value that the policy redacts. `hidden`: not told, for the same reason. */
type KeptCondition = { readonly plain: ArgumentCondition; readonly hidden: boolean } | { readonly digest: string };

interface GrantRow extends Record<string, SqlStorageValue> {
  id: string;
  tool: string;
  session: string;
  conditions: string;
  created: number;
  expires: number | null;
  approval: string;
}

interface Given {
  readonly row: ApprovalRow;
  readonly terms: GrantTerms;
  /** The arguments that the person allowed, and as they were shown. */
  readonly args: string;
  readonly shown: unknown;
  readonly now: number;
}

export function giveGrant(sql: SqlStorage, keys: AuditKeys, { row, terms, args, shown, now }: Given): Grant {
  const told = typeof shown === "object" && shown !== null ? (shown as Record<string, unknown>) : {};
  const values = JSON.parse(args) as Record<string, unknown>;
  const isTold = (name: string) =>
    Object.hasOwn(values, name) &&
    Object.hasOwn(told, name) &&
    canonicalJson(values[name]) === canonicalJson(told[name]);
  const conditions = Object.entries(terms.arguments).map(([name, condition]): [string, KeptCondition] => {
    if (isTold(name)) return [name, { plain: condition, hidden: false }];
    if ("equals" in condition) return [name, { digest: keyedDigest(keys, digestOf(condition.equals)) }];
    return [name, { plain: condition, hidden: true }];
  });
  const grant = first(
    sql.exec<GrantRow>(
      `INSERT INTO grants (id, tool, session, conditions, created, expires, approval) VALUES (?, ?, ?, ?, ?, ?, ?)
       RETURNING *`,
      newId("grant", now),
      row.tool,
      terms.session ? row.session : "",
      JSON.stringify(Object.fromEntries(conditions)),
      now,
      terms.expiresAt,
      row.id,
    ),
  ) as GrantRow;
  sql.exec(
    "DELETE FROM grants WHERE ordinal <= (SELECT ordinal FROM grants ORDER BY ordinal DESC LIMIT 1 OFFSET ?)",
    MAX_GRANTS,
  );
  return toGrant(grant);
}

/** The grant that covers the call, if there is one. @param args JSON of the arguments. */
export function findGrant(
  sql: SqlStorage,
  keys: AuditKeys,
  call: { readonly tool: string; readonly session: string; readonly args: string },
  now: number,
): string | undefined {
  const rows = sql
    .exec<GrantRow>(
      "SELECT * FROM grants WHERE tool = ? AND session IN ('', ?) AND (expires IS NULL OR expires > ?) ORDER BY ordinal",
      call.tool,
      call.session,
      now,
    )
    .toArray();
  if (rows.length === 0) return undefined;
  const args = JSON.parse(call.args) as Record<string, unknown>;
  return rows.find((row) => covers(keys, row, args))?.id;
}

function covers(keys: AuditKeys, row: GrantRow, args: Record<string, unknown>): boolean {
  const plain: [string, ArgumentCondition][] = [];
  for (const [name, condition] of conditionsOf(row)) {
    if ("plain" in condition) plain.push([name, condition.plain]);
    else if (!Object.hasOwn(args, name) || !isDigestOf(keys, condition.digest, args[name])) return false;
  }
  const terms = { session: row.session !== "", expiresAt: row.expires, arguments: Object.fromEntries(plain) };
  return grantCovers(terms, args);
}

const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/** Under any key that still verifies: a new one that signs must not make all grants forgotten. */
const isDigestOf = ({ secrets }: AuditKeys, digest: string, value: unknown): boolean =>
  [...secrets.values()].some((secret) => hmacHex(secret, `arguments:${digestOf(value)}`) === digest);

const conditionsOf = ({ conditions }: GrantRow): [string, KeptCondition][] =>
  Object.entries(JSON.parse(conditions) as Record<string, KeptCondition>);

export const listGrants = (sql: SqlStorage, now: number): Grant[] =>
  sql
    .exec<GrantRow>("SELECT * FROM grants WHERE expires IS NULL OR expires > ? ORDER BY ordinal DESC", now)
    .toArray()
    .map(toGrant);

/** Calls that are out already cannot be called back, but are not given again. */
export function withdrawGrant(sql: SqlStorage, id: string): boolean {
  const grant = first(sql.exec<GrantRow>("DELETE FROM grants WHERE id = ? RETURNING *", id));
  if (!grant) return false;
  sql.exec("UPDATE calls SET withdrawn = 1 WHERE tool = ? AND outcome IS NULL", grant.tool);
  return true;
}

function toGrant(row: GrantRow): Grant {
  const told = conditionsOf(row).map(([name, condition]): [string, ArgumentCondition] => {
    if (!("plain" in condition)) return [name, { equals: redacted }];
    if (!condition.hidden) return [name, condition.plain];
    return [name, "matches" in condition.plain ? { matches: redacted } : { equals: redacted }];
  });
  return {
    id: row.id,
    tool: row.tool,
    session: row.session === "" ? null : row.session,
    arguments: Object.fromEntries(told),
    createdAt: row.created,
    expiresAt: row.expires,
    approval: row.approval,
  };
}
