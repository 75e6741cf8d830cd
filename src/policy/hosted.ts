/**
 * Names of tools that the provider runs itself, such as its web search. Their calls cannot be vetted before they run, so a policy names those
 * that it accepts (`allowHosted`); all other rules decide when they are offered. Pure.
 */

/** Begins the names of hosted tools, which no other tool may have. */
export const HOSTED_PREFIX = "hosted:";

export const isHosted = (name: string): boolean => name.startsWith(HOSTED_PREFIX);
