/** Which variables TOOL_SECRETS names. Pure. */

/** The names of the variables (`SECRET_<NAME>`); none where it cannot be read, which its own check tells. */
export function namedSecrets(toolSecrets: string | undefined): readonly string[] {
  try {
    const named: unknown = JSON.parse(toolSecrets ?? "{}");
    return typeof named === "object" && named !== null ? Object.keys(named).map((name) => `SECRET_${name}`) : [];
  } catch {
    return [];
  }
}

/**
 * Whether a setting of the environment is the gateway's: whoever starts or deploys it may have secrets of other programs
 * there, which must not go to it.
 */
export const isOthers = (name: string, toolSecrets: string | undefined): boolean =>
  name.startsWith("SECRET_") && !namedSecrets(toolSecrets).includes(name);
