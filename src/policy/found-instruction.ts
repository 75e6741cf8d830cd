/** `text`: words that order the model about; `forged_turn`: marks of a conversation's form; `encoded`: either, in an encoding. */
export type InstructionKind = "text" | "forged_turn" | "encoded";

export interface FoundInstruction {
  readonly kind: InstructionKind;
  /** What was found with what stands around it, on one line and cut. */
  readonly passage: string;
}

export interface ResultInstruction extends FoundInstruction {
  /** The tool whose result it stands in; null where nobody knows. */
  readonly tool: string | null;
}
