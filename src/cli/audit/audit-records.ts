/** Pages of audit records from a gateway, and a record as one line. */
import { ok, type Result } from "../../lib/result.ts";
import { visible } from "../../lib/text/visible-text.ts";
import { type GatewayAddress, requestGateway } from "../gateway-client.ts";

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

/** In the API's spelling. What it holds depends on the kind. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly user: string;
  readonly [member: string]: unknown;
}

interface Page {
  readonly data: readonly AuditRow[];
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const PAGE = 100;

/** @param most rows; as many pages are read as they take. */
export async function readRecords(
  gateway: GatewayAddress,
  kind: Kind,
  query: Readonly<Record<string, string>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Result<readonly AuditRow[], readonly string[]>> {
  const rows: AuditRow[] = [];
  let after: string | undefined;
  while (rows.length < most) {
    const limit = String(Math.min(PAGE, most - rows.length));
    const params = new URLSearchParams({ ...query, limit, ...(after === undefined ? {} : { after }) });
    const page = await requestGateway<Page>(gateway, `/v1/audit/${kind}?${params}`, { refused: "the query" });
    if (!page.ok) return page;
    rows.push(...page.value.data);
    if (!page.value.has_more || page.value.last_id === null) break;
    after = page.value.last_id;
  }
  return ok(rows);
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
