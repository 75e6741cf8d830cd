/** What system-first execution came to in a turn, for its record. */
export interface SystemFirstNote {
  /**
   * `ran`: the call was made without the model. `asked_person`: it waits for a person. `refused`: the rules did not allow it.
   * `denied_by_person`: the person said no. `asked_values`: the user was asked for what is missing. `left`: the model decided after all.
   */
  readonly outcome: "ran" | "asked_person" | "refused" | "denied_by_person" | "asked_values" | "left";
  readonly tool: string;
  /** Names of required arguments that the user's words did not give. */
  readonly missing: readonly string[];
}
