/** IP addresses as bytes: 4 or 16. Pure. */
import { once } from "../../lib/once.ts";

export type Address = readonly number[];

/**
 * Reads an address as `URL` writes it, in brackets or not: it has turned decimal, octal, hexadecimal and short forms into
 * four decimal numbers, and every IPv6 address into groups of hexadecimal digits.
 * @returns undefined if it is no address, or one with a zone.
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

type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "shared"
  | "link-local"
  | "metadata"
  | "multicast"
  | "broadcast"
  | "documentation"
  | "translated"
  | "reserved";

/** The first that holds decides. */
const RANGES: readonly (readonly [AddressKind, readonly string[]])[] = [
  // Addresses from which clouds hand out credentials. Some are in ranges that are otherwise private, or even public.
  [
    "metadata",
    [
      "169.254.169.254/32",
      "169.254.170.2/32",
      "169.254.170.23/32",
      "168.63.129.16/32",
      "100.100.100.200/32",
      "192.0.0.192/32",
      "fd00:ec2::254/128",
      "fd00:ec2::23/128",
      "fd20:ce::254/128",
    ],
  ],
  ["unspecified", ["0.0.0.0/8", "::/128"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  ["shared", ["100.64.0.0/10"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["broadcast", ["255.255.255.255/32"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  ["documentation", ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"]],
  // NAT64, 6to4 and its relays, Teredo, IPv4-compatible: the translator decides which IPv4 address is behind them.
  ["translated", ["64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "192.88.99.0/24", "2001::/32", "::/96"]],
  ["reserved", ["192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "2001::/23"]],
  ["public", ["0.0.0.0/0", "2000::/3"]],
];

const ranges = once(() =>
  RANGES.flatMap(([kind, prefixes]) =>
    prefixes.map((prefix) => {
      const [start = "", length = ""] = prefix.split("/");
      return { kind, start: readAddress(start) ?? [], length: Number(length) };
    }),
  ),
);

export function kindOfAddress(address: Address): AddressKind {
  const four = mapped(address) ?? address;
  return ranges().find(({ start, length }) => holds(start, length, four))?.kind ?? "reserved";
}

/** Addresses that `allowPrivate` allows; never metadata. */
export const isPrivate = (kind: AddressKind): boolean => kind === "loopback" || kind === "private" || kind === "shared";

/** `::ffff:10.0.0.1` is 10.0.0.1 to every system. */
const mapped = (address: Address): Address | undefined =>
  address.length === 16 &&
  address.slice(0, 10).every((byte) => byte === 0) &&
  address[10] === 255 &&
  address[11] === 255
    ? address.slice(12)
    : undefined;

function holds(start: Address, length: number, address: Address): boolean {
  if (start.length !== address.length) return false;
  return start.every((byte, index) => {
    const bits = Math.min(Math.max(length - index * 8, 0), 8);
    const mask = (0xff << (8 - bits)) & 0xff;
    return ((byte ^ (address[index] ?? 0)) & mask) === 0;
  });
}
