/** The start page: the first plugin page that the person may open. */

import { useQuery } from "@tanstack/react-query";
import { DoorOpen } from "lucide-react";
import { Navigate } from "react-router";
import { pagesQuery } from "../api/pages";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Notice } from "../ui/states";
import { pagePath } from "./navigation";

export function Home() {
  return (
    <Loaded query={useQuery(pagesQuery)} loading={null}>
      {([first]) =>
        first ? (
          <Navigate to={pagePath(first)} replace />
        ) : (
          <Notice on="page" icon={DoorOpen} title={texts.states.nothingOpenTitle}>
            <title>{texts.product}</title>
            {texts.states.nothingOpenBody}
          </Notice>
        )
      }
    </Loaded>
  );
}
