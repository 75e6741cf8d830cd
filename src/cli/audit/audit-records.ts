/** Pages of audit records from a gateway, and a record as one line. */
import { ok, type Result } from "../../lib/result.ts";
import { visible } from "../../lib/text/visible-text.ts";
import { type GatewayAddress, readPages } from "../gateway-client.ts";

export const kinds = [
  "turns",
  "decisions",
  "approvals",
  "runs",
  "plans",
  "connections",
  "resets",
  "changes",
  "erased",
] as const;
export type Kind = (typeof kinds)[number];

/** In the API's spelling. Its other members depend on the kind. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly user: string;
  readonly [member: string]: unknown;
}

/** @param most rows; as many pages are read as they take. */
export async function readRecords(
  gateway: GatewayAddress,
  kind: Kind,
  query: Readonly<Record<string, string>>,
  most?: number,
): Promise<Result<readonly AuditRow[], readonly string[]>> {
  const rows: AuditRow[] = [];
  const take = (page: readonly AuditRow[]) => void rows.push(...page);
  const read = await readPages(gateway, `/v1/audit/${kind}`, query, take, { refused: "the query", most });
  return read.ok ? ok(rows) : read;
}

/** Time, what happened, whose it was, and why. */
export function recordLine(kind: Kind, row: AuditRow): string {
  const parts = [row.at, ...partsOf(kind, row), `user=${row.user}`, ...idsOf(row)];
  return visible(parts.filter((part) => part !== "").join("  "));
}

function partsOf(kind: Kind, row: AuditRow): readonly string[] {
  switch (kind) {
    case "turns":
      return [text(row.stop_reason).padEnd(20), `${text(row.model)}`, named("intents", listed(row.intents))];
    case "decisions":
      return [text(row.effect).padEnd(7), text(row.tool), codes(row.reasons), named("made_by", text(row.made_by))];
    case "approvals":
      return [text(row.event).padEnd(9), text(row.tool), named("by", text(row.by)), named("via", text(row.via))];
    case "runs":
      return [
        text(row.status).padEnd(11),
        text(row.tool),
        `at ${text(row.target)}`,
        named("failure", text(row.failure)),
      ];
    case "plans":
      return [text(row.event).padEnd(18), text(row.plan), text(row.status)];
    case "connections":
      return [text(row.event).padEnd(7), text(row.provider)];
    case "resets":
    case "changes":
      return [text(row.event).padEnd(20), text(row.subject), named("by", text(row.by))];
    case "erased":
      return [text(row.was)];
  }
}

const idsOf = ({ turn, id }: AuditRow): readonly string[] => [typeof turn === "string" ? turn : id];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const named = (name: string, value: string): string => (value === "" ? "" : `${name}=${value}`);
const listed = (value: unknown): string =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string").join(",") : "";
const codes = (reasons: unknown): string =>
  Array.isArray(reasons) ? reasons.map((one: { readonly code?: unknown }) => text(one?.code)).join(",") : "";
