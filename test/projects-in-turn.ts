/** Which files begin first. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What waits for processes before what computes, and files of a runtime that they share side by side. Then the short ones fill up the end. */
const order = ["clients", "browser", "worker", "unit"];

export class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
