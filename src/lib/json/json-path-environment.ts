/** The JSON path library for policies. Load it with `import()`: only the named parts of the library are bundled. */
import { type FilterFunction, FunctionExpressionType, JSONPathEnvironment } from "json-p3";

const { LogicalType, ValueType } = FunctionExpressionType;

/** Whether the text matches the pattern, in linear time. An invalid pattern matches nothing, as the RFC demands. */
export type MatchText = (text: string, pattern: string) => boolean;

const matching = (matches: MatchText, around: (pattern: string) => string): FilterFunction => ({
  argTypes: [ValueType, ValueType],
  returnType: LogicalType,
  call: (text: unknown, pattern: unknown): boolean =>
    typeof text === "string" && typeof pattern === "string" && matches(text, around(pattern)),
});

const TEXT_NAME_OR_NUMBER =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Z_a-z\u{80}-\u{10ffff}][\w\u{80}-\u{10ffff}]*|\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?/gu;

/** The library does not read `0.5`, but `5e-1`. */
const withNumbers = (path: string): string =>
  path.replace(TEXT_NAME_OR_NUMBER, (token) => (/^0[.Ee]/.test(token) ? byExponent(Number(token)) : token));

const byExponent = (number: number): string =>
  number === 0 ? "0" : Number.isFinite(number) ? number.toExponential() : "1e999";

export type PathCompiler = Pick<JSONPathEnvironment, "compile">;

/** @param matches passed in: if this module imported it, it would be loaded twice at each start. */
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
