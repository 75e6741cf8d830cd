/** How the person has called this program: what its usage must say. */
import { basename } from "node:path";

/**
 * @param script as an npm script, such as `npm run policy --`.
 * @param command as a command of `toolgate`.
 */
export const programName = (script: string, command: string): string =>
  /^toolgate(\.m?[jt]s)?$/.test(basename(process.argv[1] ?? "")) ? `toolgate ${command}` : script;
