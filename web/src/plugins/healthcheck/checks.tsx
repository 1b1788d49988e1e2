/** Health checks: the list, one of them, or the form of one. */

import { useParams } from "react-router";
import { deferred } from "../../ui/deferred";
import { CheckList } from "./check-list";

const CheckPage = deferred(async () => (await import("./check-page")).CheckPage);
const NewCheck = deferred(async () => (await import("./check-editors")).NewCheck);
const EditCheck = deferred(async () => (await import("./check-editors")).EditCheck);

export function ChecksPage() {
  const { "*": path = "" } = useParams();
  const [id = "", deed] = path.split("/");
  if (id === "") return <CheckList />;
  if (id === "new") return <NewCheck />;
  return deed === "edit" ? <EditCheck key={id} id={id} /> : <CheckPage key={id} id={id} />;
}
