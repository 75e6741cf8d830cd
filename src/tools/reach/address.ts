/** IP addresses as bytes: 4 or 16. Pure. */

export type Address = readonly number[];

/**
 * Reads an address as `URL` writes it, in brackets or not: it has turned decimal, octal, hexadecimal and short forms into
 * four decimal numbers, and every IPv6 address into groups of hexadecimal digits.
 * @returns undefined for what is none, and for one with a zone.
 */
export function readAddress(text: string): Address | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  return bare.includes(":") ? readV6(bare) : readV4(bare);
}

function readV4(text: string): Address | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function readV6(text: string): Address | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const [, front = "", tail = ""] = dotted ?? [];
  const four = dotted ? readV4(tail) : [];
  if (!four) return undefined;
  const halves = (dotted ? `${front}${groupsOf(four)}` : text).split("::");
  if (halves.length > 2) return undefined;
  const [head, end] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const groups = [...(head ?? []), ...(end ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  if (end === undefined ? groups.length !== 8 : groups.length > 7) return undefined;
  const zeros = Array<string>(8 - groups.length).fill("0");
  const all = end === undefined ? groups : [...(head ?? []), ...zeros, ...end];
  return all.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

const groupsOf = ([a = 0, b = 0, c = 0, d = 0]: Address): string =>
  `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
