/** Limits of requests, and of how many are served at once: `MAX_…`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface Limits {
  readonly maxBodyBytes: number;
  /** For bodies that no honest client makes large: an answer to an approval, a key, a session's mode. */
  readonly maxSmallBodyBytes: number;
  /** Names and values of all headers together. */
  readonly maxHeaderBytes: number;
  /** Bodies that an isolate holds at once. One user has half of it. */
  readonly maxInFlightBytes: number;
  /** At once, for one user. */
  readonly maxUserTurns: number;
  readonly maxUserHolds: number;
  readonly maxUserStreams: number;
}

const MIB = 1024 * 1024;

/**
 * An isolate has 128 MiB for all that it serves. In workerd with a heap of 96 MiB, 16 MiB of bodies of ASCII text lived and 24 died
 * before the upstream answered; of other text, or of small JSON values, 8 lived and 12 died. Once it answers, a turn holds two
 * (ASCII), four (other text) or eight times (small values) its body.
 */
const MOST_BODY_BYTES = 8 * MIB;
const MOST_IN_FLIGHT_BYTES = 16 * MIB;

export const DEFAULT_LIMITS: Limits = {
  maxBodyBytes: 4 * MIB,
  maxSmallBodyBytes: 2 * MIB,
  maxHeaderBytes: 32 * 1024,
  maxInFlightBytes: 8 * MIB,
  maxUserTurns: 64,
  maxUserHolds: 16,
  maxUserStreams: 16,
};

export function readLimits(variables: SettingVariables): Result<Limits, readonly string[]> {
  const problems: string[] = [];
  const number = (
    name: keyof SettingVariables,
    unit: string,
    [least, most]: [number, number],
    unset: number,
  ): number => {
    const text = variables[name];
    if (!text) return unset;
    const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    problems.push(`${name}: write a number of ${unit} from ${least} to ${most}, such as \`${unset}\``);
    return unset;
  };
  const unset = DEFAULT_LIMITS;
  const maxBodyBytes = number("MAX_BODY_BYTES", "bytes", [1024, MOST_BODY_BYTES], unset.maxBodyBytes);
  // One user's share must hold one body.
  const leastInFlight = 2 * maxBodyBytes;
  const inFlight = Math.max(unset.maxInFlightBytes, leastInFlight);
  const limits = {
    maxBodyBytes,
    maxSmallBodyBytes: Math.min(unset.maxSmallBodyBytes, maxBodyBytes),
    maxHeaderBytes: number("MAX_HEADER_BYTES", "bytes", [1024, 128 * 1024], unset.maxHeaderBytes),
    maxInFlightBytes: number("MAX_INFLIGHT_BYTES", "bytes", [leastInFlight, MOST_IN_FLIGHT_BYTES], inFlight),
    maxUserTurns: number("MAX_USER_TURNS", "turns", [1, 10_000], unset.maxUserTurns),
    maxUserHolds: number("MAX_USER_HOLDS", "held replies", [1, 1_000], unset.maxUserHolds),
    maxUserStreams: number("MAX_USER_STREAMS", "event streams", [1, 1_000], unset.maxUserStreams),
  };
  return problems.length > 0 ? err(problems) : ok(limits);
}
