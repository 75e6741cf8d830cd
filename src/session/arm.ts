/** Which way a user's tasks go where both are tried: the model decides first, or the system does. */
export type Arm = "llm_first" | "system_first";
