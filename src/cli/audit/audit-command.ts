/** `toolgate audit tail|query|verify`: the audit trail of a tenant, for its admins. */

import { setTimeout as wait } from "node:timers/promises";
import { isoTime } from "../../lib/text/iso-time.ts";
import { didYouMean } from "../../lib/text/nearest-name.ts";
import { visibleJson } from "../../lib/text/visible-text.ts";
import { type GatewayAddress, requestGateway } from "../gateway-client.ts";
import type { Options } from "../program-arguments.ts";
import { adminOptions, command, fail, runSubcommand, withGateway } from "../subcommands.ts";
import { queryArchive, verifyArchiveAt } from "./archive-commands.ts";
import { ARCHIVE_USAGE } from "./archive-reader.ts";
import { type AuditRow, type Kind, kinds, readRecords, recordLine } from "./audit-records.ts";

const FILTERS = "[--user U] [--session ID] [--tool NAME] [--effect allow|confirm|deny] [--where NAME=VALUE]";

const filters = {
  ...adminOptions,
  user: { type: "string" },
  session: { type: "string" },
  tool: { type: "string" },
  effect: { type: "string" },
  where: { type: "string", multiple: true },
} as const satisfies Options;

/** Each poll looks this far back: records are delivered a moment after they are made, those of another user perhaps later. */
const BACK_MS = 60_000;
const EVERY_MS = 1_000;

const tail = command({
  usage: `tail [${kinds.join("|")}] ${FILTERS} [--last N] [--no-follow] [--json] [--gateway URL] [--tenant T]
prints the last records (20), and each that is added, until it is ended`,
  options: { ...filters, last: { type: "string", default: "20" }, "no-follow": { type: "boolean" } },
  positionals: [0, 1],
  run: ({ gateway: url, last: wanted, json, ...values }, [named = "decisions"]) => {
    const { kind, query } = readQuery(named, values);
    const last = count(wanted);
    if (!kind || last === undefined) return "usage";
    return withGateway(url, async (gateway) => {
      const begun = await readRecords(gateway, kind, { ...query, order: "desc" }, last);
      if (!begun.ok) return fail(begun.error);
      for (const row of begun.value.toReversed()) print(kind, row, json);
      return values["no-follow"] ? 0 : follow(gateway, kind, query, { seen: begun.value, json });
    });
  },
});

async function follow(
  gateway: GatewayAddress,
  kind: Kind,
  query: Readonly<Record<string, string>>,
  { seen: begun, json }: { readonly seen: readonly AuditRow[]; readonly json: boolean },
): Promise<number> {
  const seen = new Map(begun.map(({ id, at }) => [id, Date.parse(at)]));
  let newest = Math.max(Date.now() - EVERY_MS, ...seen.values());
  const older = new Set(begun.map(({ id }) => id));
  // Records that were there at the start, beyond the requested rows, are not new.
  const first = await readRecords(gateway, kind, { ...query, order: "asc", from: isoTime(newest - BACK_MS) });
  if (!first.ok) return fail(first.error);
  for (const { id, at } of first.value) if (!older.has(id)) seen.set(id, Date.parse(at));
  for (;;) {
    await wait(EVERY_MS);
    const read = await readRecords(gateway, kind, { ...query, order: "asc", from: isoTime(newest - BACK_MS) });
    if (!read.ok) return fail(read.error);
    for (const row of read.value) {
      if (seen.has(row.id)) continue;
      seen.set(row.id, Date.parse(row.at));
      newest = Math.max(newest, Date.parse(row.at));
      print(kind, row, json);
    }
    for (const [id, at] of seen) if (at < newest - 2 * BACK_MS) seen.delete(id);
  }
}

const query = command({
  usage: `query ${kinds.join("|")} ${FILTERS} [--from TIME] [--to TIME] [--limit N] [--oldest-first] [--json] [--gateway URL] [--tenant T]
prints the records that match (100); --where takes every filter of the API; times are ISO 8601
  toolgate audit query "select …" --archive ARCHIVE [--from DAY] [--to DAY] [--tenant T] [--json]
asks DuckDB; the view \`records\` has the archive's records, those of these days and of this tenant alone. A tenant is found faster
where ARCHIVE_GROUPS is set as the gateway has it. ${ARCHIVE_USAGE}`,
  options: {
    ...filters,
    from: { type: "string" },
    to: { type: "string" },
    limit: { type: "string", default: "100" },
    "oldest-first": { type: "boolean" },
    archive: { type: "string" },
  },
  positionals: [0, 1],
  run: (values, [named]) => {
    const { archive, from, to, tenant, json } = values;
    if (archive !== undefined)
      return named === undefined ? "usage" : queryArchive({ sql: named, archive, from, to, tenant, json });
    const { kind, query } = readQuery(named ?? "", values);
    const limit = count(values.limit);
    if (!kind || limit === undefined) return "usage";
    const times = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const order = values["oldest-first"] ? "asc" : "desc";
    return withGateway(values.gateway, async (gateway) => {
      const rows = await readRecords(gateway, kind, { ...query, ...times, order }, limit);
      if (!rows.ok) return fail(rows.error);
      for (const row of rows.value) print(kind, row, json);
      // Standard output holds records alone.
      if (rows.value.length === 0) console.error("no records");
      return 0;
    });
  },
});

interface Filters {
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  readonly effect?: string | undefined;
  readonly where?: readonly string[] | undefined;
}

/** `kind` is undefined if the command line is wrong; the reason was printed. */
function readQuery(
  named: string,
  { tenant, user, session, tool, effect, where = [] }: Filters,
): { readonly kind: Kind | undefined; readonly query: Readonly<Record<string, string>> } {
  const kind = kinds.find((one) => one === named);
  if (kind === undefined && named !== "") console.error(`there are no records \`${named}\`${didYouMean(named, kinds)}`);
  const wrong = where.find((one) => !/^[a-z_]+=./s.test(one));
  if (wrong !== undefined) console.error(`--where is \`${wrong}\`: it must be NAME=VALUE`);
  const more = where.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]);
  const given = Object.entries({ tenant, user, session, tool, effect }).filter(([, value]) => value !== undefined);
  return { kind: wrong === undefined ? kind : undefined, query: Object.fromEntries([...given, ...more]) };
}

const count = (text: string): number | undefined =>
  /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
const print = (kind: Kind, row: AuditRow, json: boolean): void =>
  console.log(json ? visibleJson(row, 0) : recordLine(kind, row));

interface Verification {
  readonly ok: boolean;
  readonly problem: { readonly message: string } | null;
  readonly checkpoint_problem: unknown;
  readonly to: number | null;
  /** The chain's head; null: the user has no records. */
  readonly head: unknown;
  readonly next_after: number | null;
  readonly waiting: number;
}

const verify = command({
  usage: `verify USER… [--json] [--gateway URL] [--tenant T]
checks that no record of these users was changed, added or removed; exit code 1 where one was
  toolgate audit verify --archive ARCHIVE [--from DAY] [--json]
checks a whole archive with the keys in AUDIT_KEY, without a gateway; --from: files of earlier days may be gone`,
  options: { ...adminOptions, archive: { type: "string" }, from: { type: "string" } },
  positionals: [0, Number.POSITIVE_INFINITY],
  run: ({ gateway: url, tenant, json, archive, from }, users) => {
    if (archive !== undefined && users.length === 0) return verifyArchiveAt({ archive, from, json });
    if (users.length === 0) return "usage";
    return withGateway(url, async (gateway) => {
      let exitCode = 0;
      for (const user of users) {
        const owner = new URLSearchParams({ user, ...(tenant === undefined ? {} : { tenant }) });
        exitCode = Math.max(exitCode, await verifyUser(gateway, owner, json));
      }
      return exitCode;
    });
  },
});

/** A chain is verified page by page. */
async function verifyUser(gateway: GatewayAddress, owner: URLSearchParams, json: boolean): Promise<number> {
  const user = owner.get("user");
  const params = new URLSearchParams(owner);
  for (;;) {
    const page = await requestGateway<Verification>(gateway, `/v1/audit/verify?${params}`, { refused: "the query" });
    if (!page.ok) return fail(page.error);
    const { ok, problem, next_after: next, to, head, waiting } = page.value;
    if (json) console.log(visibleJson(page.value, 0));
    if (!ok) {
      const why = problem?.message ?? "the checkpoint that retention left does not fit the chain";
      if (!json) console.log(`${user}: NOT WHOLE: ${why}`);
      return 1;
    }
    if (head === null) return fail([`${user}: no records`]);
    if (next === null) {
      const late = waiting > 0 ? `; ${waiting} not delivered yet` : "";
      if (!json) console.log(`${user}: whole, up to record ${to ?? 0}${late}`);
      return 0;
    }
    params.set("after", String(next));
  }
}

export const auditCommand = (args: readonly string[]): Promise<number> =>
  runSubcommand("toolgate audit", { tail, query, verify }, args);
