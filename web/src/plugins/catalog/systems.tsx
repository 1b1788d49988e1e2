/** Systems: the list, or one of them. */

import { useParams } from "react-router";
import { deferred } from "../../ui/deferred";
import { SystemList } from "./system-list";

const SystemPage = deferred(async () => (await import("./system-page")).SystemPage);

export function SystemsPage() {
  const { "*": id = "" } = useParams();
  return id === "" ? <SystemList /> : <SystemPage key={id} id={id} />;
}
