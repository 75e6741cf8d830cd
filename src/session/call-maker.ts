/** Who made a call where it was not the model: system-first execution, or the run of a plan. */
export type CallMaker = "system" | "plan";
