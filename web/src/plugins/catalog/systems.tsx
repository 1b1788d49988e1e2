/** Systems: the list, or one of them. */

import { useParams } from "react-router";
import { SystemList } from "./system-list";
import { SystemPage } from "./system-page";

export function SystemsPage() {
  const { "*": id = "" } = useParams();
  return id === "" ? <SystemList /> : <SystemPage key={id} id={id} />;
}
