/** The JSON path library as policies get it. To be loaded with `import()`: of the library no more is bundled than is named. */
import { type FilterFunction, FunctionExpressionType, JSONPathEnvironment } from "json-p3";

const { LogicalType, ValueType } = FunctionExpressionType;

/** Whether the text matches the pattern, in linear time. One that is no pattern matches nothing, as the RFC has it. */
export type MatchText = (text: string, pattern: string) => boolean;

const matching = (matches: MatchText, around: (pattern: string) => string): FilterFunction => ({
  argTypes: [ValueType, ValueType],
  returnType: LogicalType,
  call: (text: unknown, pattern: unknown): boolean =>
    typeof text === "string" && typeof pattern === "string" && matches(text, around(pattern)),
});

const TEXT_NAME_OR_NUMBER =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Z_a-z\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*|\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?/gu;

/** The library takes no `0.5` for a number, but `5e-1`. */
const withNumbers = (path: string): string =>
  path.replace(TEXT_NAME_OR_NUMBER, (token) => (/^0[.Ee]/.test(token) ? byExponent(Number(token)) : token));

const byExponent = (number: number): string =>
  number === 0 ? "0" : Number.isFinite(number) ? number.toExponential() : "1e999";

export type PathCompiler = Pick<JSONPathEnvironment, "compile">;

/** @param matches is handed in: what this module imported would be read twice at each start. */
export function newEnvironment(matches: MatchText): PathCompiler {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });
  environment.functionRegister.set(
    "match",
    matching(matches, (pattern) => `^(?:${pattern})$`),
  );
  environment.functionRegister.set(
    "search",
    matching(matches, (pattern) => pattern),
  );
  return { compile: (path) => environment.compile(withNumbers(path)) };
}
