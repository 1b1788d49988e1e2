/** Maintenance windows: the list, or one of them. */

import { useParams } from "react-router";
import { deferred } from "../../ui/deferred";
import { WindowList } from "./window-list";

const WindowPage = deferred(async () => (await import("./window-page")).WindowPage);

export function WindowsPage() {
  const { "*": id = "" } = useParams();
  return id === "" ? <WindowList /> : <WindowPage key={id} id={id} />;
}
