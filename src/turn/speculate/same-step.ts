/** Whether two calls of a model are the same to the upstream and to the reply. Pure. */
import type { StepRequest } from "../../ports/model-port.ts";

export function isSameStep(one: StepRequest, other: StepRequest): boolean {
  return (
    one.body === other.body &&
    one.stream === other.stream &&
    one.envelope === other.envelope &&
    one.adopt === other.adopt &&
    one.route === other.route &&
    // Text is filtered in both or in neither; how, the facts of the open say.
    (one.links === undefined) === (other.links === undefined) &&
    (one.responses === undefined) === (other.responses === undefined) &&
    isSame(one.toolChoice, other.toolChoice) &&
    isSame(one.headers, other.headers) &&
    isSameList(wiresOf(one), wiresOf(other)) &&
    isSameList(one.messages, other.messages)
  );
}

const wiresOf = ({ tools }: StepRequest): readonly unknown[] => tools.map(({ wire }) => wire);

/** Most entries are the very objects of the client's request. */
const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => isSame(value, other[index]));

/** As it goes on the wire, the order of keys included. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
