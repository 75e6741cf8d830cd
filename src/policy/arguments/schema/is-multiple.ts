/** Whether one decimal is a whole multiple of another, exactly: 0.3 is one of 0.1, though the doubles are not. Pure. */
import type { WorkBudget } from "../../../lib/work-budget.ts";

export function isMultiple(value: number, divisor: number, work: WorkBudget): boolean {
  const quotient = value / divisor;
  if (Number.isInteger(value) && Number.isInteger(divisor) && Number.isSafeInteger(quotient))
    return value % divisor === 0;
  // Numbers of hundreds of digits.
  work.spend(50);
  const [a, b] = [decimal(value), decimal(divisor)];
  const shift = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent - shift);
  return scaled(a) % scaled(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
