/**
 * Audit records by the million. `npm run seed` plays some turns of a service desk through the gateway; what the gateway recorded of them
 * is repeated with other tenants, users, sessions, ids and times: so kinds, sizes and refusals are those of real turns.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { type Draw, drawFrom } from "../../../../src/cli/seed/draw.ts";
import { root } from "../../../../src/cli/settings.ts";
import { idTime } from "../../../../src/lib/ids.ts";
import { canonicalJson } from "../../../../src/lib/json/canonical-json.ts";
import type { AuditRecord } from "../../../../src/ports/audit-record.ts";
import { auditTables } from "../../../../src/stores/audit/record-kinds.ts";

/** Records of one turn, the turn's own last, as they were sealed. */
export type TurnRecords = readonly AuditRecord[];

const SOON_MS = 60_000;

/** Plays so many turns, and returns what was recorded of each. */
export async function playedTurns(turns: number): Promise<readonly TurnRecords[]> {
  const folder = await mkdtemp(join(tmpdir(), "toolgate-played-"));
  try {
    const env = { ...process.env, TOOLGATE_STATE: folder };
    await promisify(execFile)(process.execPath, ["src/cli/seed.ts", "--turns", String(turns)], { cwd: root, env });
    const db = new DatabaseSync(await auditFile(folder));
    const records = auditTables.flatMap((table) =>
      db
        .prepare(`SELECT record FROM ${table} ORDER BY seq`)
        .all()
        .map(({ record }) => JSON.parse(String(record)) as AuditRecord),
    );
    db.close();
    const byTurn = Map.groupBy(records, (record) =>
      record.kind === "turn" ? record.id : "turn" in record ? record.turn : null,
    );
    byTurn.delete(null);
    return [...byTurn.values()].flatMap((some) => {
      const turn = some.find(({ kind }) => kind === "turn");
      // A question may be answered, or expire, hours later.
      return turn ? [[...some.filter((one) => one !== turn && one.at < turn.at + SOON_MS), turn]] : [];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file of the trail's database under a folder of local stores. */
export async function auditFile(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => /(^|[/\\])d1[/\\].*\.sqlite$/.test(one))) {
    const db = new DatabaseSync(join(folder, name));
    const found = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'turns'").get();
    db.close();
    if (found) return join(folder, name);
  }
  throw new Error(`no database of \`${folder}\` has the trail`);
}

export interface Crowd {
  readonly tenants: number;
  /** Of the largest tenant; the others have fewer. */
  readonly users: number;
}

export interface MadeRecord {
  readonly record: AuditRecord;
  /** Its canonical JSON, put together from that of the record that it is like: to write each anew takes most of the time. */
  readonly text: string;
}

/** The same tenants, users and ids each time; a few tenants have most of the turns. @returns what makes the records of a turn. */
export function madeRecords(played: readonly TurnRecords[], { tenants, users }: Crowd) {
  const draw = drawFrom(20);
  const few = (n: number, power: number) => Math.floor(n * draw.next() ** power);
  const makeId = (prefix: string, at: number) => `${prefix}_${idTime(at)}${randomText(draw, 4, 32, 4)}`;
  const turns = played.map(turnTemplate);
  const sessions = new Map<string, string>();

  return (at: number): MadeRecord[] => {
    const place = few(tenants, 3);
    const tenant = tenantName(place);
    const user = `user-${String(few(Math.max(20, Math.floor(users / (place + 1))), 2)).padStart(6, "0")}`;
    const owner = `${tenant} ${user}`;
    const session = (!draw.oneIn(6) && sessions.get(owner)) || makeId("sess", at);
    sessions.set(owner, session);
    const { records, named, begunAt } = draw.pick(turns);
    const ids = named.map(({ prefix, after }) => makeId(prefix, at + after));
    return records.map(({ like, places, pieces }) => {
      const later = at - begunAt;
      const values: Record<string, string | number> = { tenant, user, session, digest: digestText(draw) };
      for (const name of TIMES) if (typeof like[name] === "number") values[name] = like[name] + later;
      for (const [name, index] of places) values[name] = ids[index] ?? "";
      const record: Record<string, unknown> = { ...like };
      let text = pieces[0] ?? "";
      for (let n = 1; n < pieces.length; n += 2) {
        const name = pieces[n] ?? "";
        const value = values[name];
        record[name] = value;
        text += `${typeof value === "number" ? value : `"${value}"`}${pieces[n + 1]}`;
      }
      return { record: record as unknown as AuditRecord, text };
    });
  };
}

const IDS = ["id", "turn", "decision", "approval", "callId"];
const TIMES = ["at", "endedAt", "expiresAt"];
const OTHERS = ["tenant", "user", "session", "digest"];

interface RecordTemplate {
  readonly like: Readonly<Record<string, unknown>>;
  /** Members with an id, and which of the turn's ids it is. */
  readonly places: readonly (readonly [name: string, index: number])[];
  /** The canonical JSON, with the name of a member in place of every second piece, which is the member's value. */
  readonly pieces: readonly string[];
}

function turnTemplate(turn: TurnRecords) {
  const known: string[] = [];
  const records = turn.map((record): RecordTemplate => {
    const like = record as unknown as Readonly<Record<string, unknown>>;
    const places = IDS.flatMap((name) => {
      const id = like[name];
      if (typeof id !== "string") return [];
      if (!known.includes(id)) known.push(id);
      return [[name, known.indexOf(id)] as const];
    });
    const varied = [...IDS, ...TIMES, ...OTHERS].filter((name) => (typeof (like[name] ?? undefined)) in VARIED);
    const marked = { ...like, ...Object.fromEntries(varied.map((name) => [name, `@@${name}@@`])) };
    return { like, places, pieces: canonicalJson(marked).split(/"@@(\w+)@@"/) };
  });
  const begunAt = turn.at(-1)?.at ?? 0;
  const named = known.map((id) => {
    // The id of a record begins with its time.
    const at = turn.find((record) => record.id === id)?.at ?? begunAt;
    return { prefix: id.split("_", 1)[0] ?? "", after: at - begunAt };
  });
  return { records, named, begunAt };
}

const VARIED = { string: true, number: true };

export const tenantName = (place: number): string => `tenant-${String(place).padStart(4, "0")}`;

/** As a digest looks, and compresses. */
export const digestText = (draw: Draw): string => randomText(draw, 8, 16, 8);

/** Digits to a base that is a power of two. */
function randomText({ next }: Draw, parts: number, base: number, digits: number): string {
  let text = "";
  for (let part = 0; part < parts; part += 1)
    text += Math.floor(next() * base ** digits)
      .toString(base)
      .padStart(digits, "0");
  return text;
}
