/** The command line of every program. `--help` is answered, and unknown options are refused, before anything is done. */
import { basename } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { err, ok, type Result } from "../lib/result.ts";
import { didYouMean } from "../lib/text/nearest-name.ts";

export type Options = NonNullable<ParseArgsConfig["options"]>;
export type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

/** A text that is printed instead of running the program. */
export interface UsageAnswer {
  readonly text: string;
  readonly exitCode: 0 | 2;
}

export function readArguments<const O extends Options>(
  argv: readonly string[],
  usage: string,
  options: O,
): Result<Values<O>, UsageAnswer> {
  if (asksForHelp(argv)) return err({ text: `usage: ${usage}`, exitCode: 0 });
  try {
    return ok(parseArgs({ args: [...argv], options }).values);
  } catch (error) {
    const problem = argumentProblem(error, Object.keys(options));
    if (problem === undefined) throw error;
    return err({ text: `${problem}\nusage: ${usage}`, exitCode: 2 });
  }
}

/** The same for a program's own command line; ends the process if there is something to print instead. */
export function programArguments<const O extends Options>(usage: string, options: O): Values<O> {
  const read = readArguments(process.argv.slice(2), usage, options);
  return read.ok ? read.value : printUsage(read.error);
}

export function printUsage({ text, exitCode }: UsageAnswer): never {
  (exitCode === 0 ? console.log : console.error)(text);
  process.exit(exitCode);
}

export const asksForHelp = (argv: readonly string[]): boolean => argv.includes("--help") || argv.includes("-h");

/** The error of a command line, in words; undefined for an error that `parseArgs` did not throw. */
export function argumentProblem(error: unknown, options: readonly string[]): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  const [, named = ""] = /'([^' ]*)/.exec(error.message) ?? [];
  switch (error.code) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return `unknown option \`${named}\`${didYouMean(
        named,
        options.map((option) => `--${option}`),
      )}`;
    case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
      return `unexpected argument \`${named}\``;
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return error.message.split("\n")[0];
    default:
      return undefined;
  }
}

/**
 * How the person has called this program, for its usage.
 * @param script as an npm script, such as `npm run policy --`.
 * @param command as a command of `toolgate`.
 */
export const programName = (script: string, command: string): string =>
  /^toolgate(\.m?[jt]s)?$/.test(basename(process.argv[1] ?? "")) ? `toolgate ${command}` : script;
