/** What a request may bring: `MAX_BODY_BYTES`, `MAX_HEADER_BYTES`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";

export interface Limits {
  readonly maxBodyBytes: number;
  /** Names and values of all headers together. */
  readonly maxHeaderBytes: number;
}

export interface LimitVariables {
  readonly MAX_BODY_BYTES?: string;
  readonly MAX_HEADER_BYTES?: string;
}

/** An isolate has 128 MiB for all requests that it serves at once. */
export const DEFAULT_LIMITS: Limits = { maxBodyBytes: 32 * 1024 * 1024, maxHeaderBytes: 32 * 1024 };

export function readLimits(variables: LimitVariables): Result<Limits, readonly string[]> {
  const problems: string[] = [];
  const bytes = (name: keyof LimitVariables, most: number, unset: number): number => {
    const text = variables[name];
    if (!text) return unset;
    const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= 1024 && value <= most) return value;
    problems.push(`${name}: write a number of bytes from 1024 to ${most}, such as \`${unset}\``);
    return unset;
  };
  const limits = {
    maxBodyBytes: bytes("MAX_BODY_BYTES", 100 * 1024 * 1024, DEFAULT_LIMITS.maxBodyBytes),
    maxHeaderBytes: bytes("MAX_HEADER_BYTES", 128 * 1024, DEFAULT_LIMITS.maxHeaderBytes),
  };
  return problems.length > 0 ? err(problems) : ok(limits);
}
