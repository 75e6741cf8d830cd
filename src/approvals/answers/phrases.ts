/** The kinds of words that answers are made of. */

/** By kind, phrases as people write them, in lower case, divided by commas or line ends. */
export interface Phrases {
  readonly yes: string;
  readonly no: string;
  /** Says nothing beside another, and nothing alone. */
  readonly polite: string;
  readonly all: string;
  readonly always: string;
  readonly continue: string;
  /** Says that it was decided, elsewhere: it goes on with that, and decides nothing itself. */
  readonly done: string;
  readonly preview: string;
  readonly learnMore: string;
  readonly edit: string;
  /** What a reason begins with after a refusal. */
  readonly because: string;
  /** Joins two answers. */
  readonly and: string;
  /** Made of words that mean an answer, and none itself. */
  readonly unclear: string;
}

export type PhraseKind = keyof Phrases;
