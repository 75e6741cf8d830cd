/** A resolver's answers over HTTPS (RFC 8484), made of what a zone says. */

export type Zone = Readonly<Record<string, readonly string[] | "fails" | "servfail">>;

const TYPES = { 1: "A", 28: "AAAA" } as const;

/** `name: ["10.0.0.1", "::1", "alias.test."]`; a name that is not there is an NXDOMAIN. What ends in a dot is an alias. */
export async function answerDns(zone: Zone, request: Request): Promise<Response> {
  const query = new Uint8Array(await request.arrayBuffer());
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(new TextDecoder().decode(query.slice(at + 1, at + 1 + length)));
    at += length + 1;
  }
  const name = labels.join(".");
  const type = TYPES[query[at + 2] as 1 | 28];
  if (zone[name] === "fails") throw new Error("no route to the resolver");
  return new Response(dnsAnswer(query.slice(12, at + 5), name, type, zone), {
    headers: { "content-type": "application/dns-message" },
  });
}

function dnsAnswer(question: Uint8Array, name: string, type: "A" | "AAAA", zone: Zone): Uint8Array<ArrayBuffer> {
  const records: number[][] = [];
  const follow = (owner: string): void => {
    for (const entry of zone[owner] ?? []) {
      const alias = entry.endsWith(".") ? entry.slice(0, -1) : undefined;
      if (alias !== undefined) {
        records.push(record(owner, 5, nameBytes(alias)));
        follow(alias);
      } else if ((type === "AAAA") === entry.includes(":"))
        records.push(record(owner, type === "A" ? 1 : 28, bytesOf(entry)));
    }
  };
  const code = zone[name] === "servfail" ? 2 : zone[name] === undefined ? 3 : 0;
  if (code === 0) follow(name);
  return new Uint8Array([0, 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0, ...question, ...records.flat()]);
}

const nameBytes = (name: string): number[] => [
  ...name.split(".").flatMap((label) => [label.length, ...new TextEncoder().encode(label)]),
  0,
];

const record = (owner: string, type: number, data: readonly number[]): number[] => [
  ...nameBytes(owner),
  0,
  type,
  0,
  1,
  0,
  0,
  0,
  60,
  0,
  data.length,
  ...data,
];

/** IPv6 in eight groups, or with one `::`. */
function bytesOf(address: string): number[] {
  if (!address.includes(":")) return address.split(".").map(Number);
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
