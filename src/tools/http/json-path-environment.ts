/** The JSON path library as policies get it. To be loaded with `import()`: of the library no more is bundled than is named. */
import { type FilterFunction, FunctionExpressionType, JSONPathEnvironment } from "json-p3";
import type { compilePattern } from "../../policy/linear-pattern.ts";

const { LogicalType, ValueType } = FunctionExpressionType;

/** `match` and `search` with patterns that cannot be made to hang. One that is none matches nothing, as the RFC has it. */
const linear = (compile: typeof compilePattern, around: (pattern: string) => string): FilterFunction => ({
  argTypes: [ValueType, ValueType],
  returnType: LogicalType,
  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    const compiled = compile(around(pattern));
    return compiled.ok && compiled.value.test(text);
  },
});

/** @param compile is handed in: what this module imported would be read twice at each start. */
export function newEnvironment(compile: typeof compilePattern): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });
  environment.functionRegister.set(
    "match",
    linear(compile, (pattern) => `^(?:${pattern})$`),
  );
  environment.functionRegister.set(
    "search",
    linear(compile, (pattern) => pattern),
  );
  return environment;
}
