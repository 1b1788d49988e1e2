/** Who asks for a change, and through which program. Pure. */

import type { ProposalLine } from "../api/types";
import { texts } from "../texts";

type Asking = Pick<ProposalLine, "proposer" | "client">;

/** The name of the person or application alone: that of the program stands beside it. */
export function nameAsker({ proposer, client }: Asking): string {
  const suffix = client === null ? "" : ` ${texts.decide.via(client.name)}`;
  const isNamed = suffix !== "" && proposer.name.endsWith(suffix);
  return isNamed ? proposer.name.slice(0, -suffix.length) : proposer.name;
}

/** Both in one line. */
export function describeAsker(asking: Asking): string {
  const { client } = asking;
  const name = nameAsker(asking);
  return client === null ? name : `${name} ${texts.decide.via(client.name)}`;
}

/** What a person goes back to: the program, or the application itself. */
export function nameProgram({ proposer, client }: Asking): string | null {
  if (client !== null) return client.name;
  return proposer.kind === "application" ? proposer.name : null;
}
