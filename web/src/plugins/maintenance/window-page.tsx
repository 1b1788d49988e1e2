/** One maintenance window: when, what was said about it, and how it goes on. */

import { useQuery } from "@tanstack/react-query";
import { CircleX, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { WindowDetail, WindowStatus } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Button } from "../../ui/button";
import { deferred, Later } from "../../ui/deferred";
import { Fact } from "../../ui/facts";
import { Loaded } from "../../ui/loaded";
import { PageSkeleton } from "../../ui/page";
import { Time } from "../../ui/time";
import { pauseWhileSending, type Said } from "../timeline/requests";
import { SayDialog } from "../timeline/say-dialog";
import { SubjectPage } from "../timeline/subject-page";
import { addWindowUpdate, closeWindow, WINDOWS, windowQuery } from "./requests";
import { Span } from "./span";
import { StatusBadge } from "./status-badge";

const words = texts.maintenance;

const EditWindow = deferred(async () => (await import("./window-dialogs")).EditWindow);

interface WindowPageProps {
  id: string;
}

export function WindowPage({ id }: WindowPageProps) {
  const query = useQuery({
    ...windowQuery(id),
    refetchInterval: ({ state }) => pauseWhileSending(state.data?.deliveries),
  });
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(window) => <WindowView window={window} />}
    </Loaded>
  );
}

type Saying = "saying" | "closing" | "reopening";

interface WindowViewProps {
  window: WindowDetail;
}

function WindowView({ window }: WindowViewProps) {
  const [doing, setDoing] = useState<"editing" | Saying | null>(null);
  const stop = () => setDoing(null);
  return (
    <SubjectPage
      subject={window}
      requests={WINDOWS}
      listTitle={words.title}
      badges={<StatusBadge status={window.status} />}
      facts={<Times window={window} />}
      deeds={<Deeds status={window.status} onChoose={setDoing} />}
      showStatus={(status) => <StatusBadge status={status as WindowStatus} />}
      onEdit={() => setDoing("editing")}
      onSay={() => setDoing("saying")}
    >
      {doing === "editing" && (
        <Later>
          <EditWindow window={window} onClose={stop} />
        </Later>
      )}
      {doing !== null && doing !== "editing" && (
        <Say window={window} saying={doing} onClose={stop} />
      )}
    </SubjectPage>
  );
}

interface DeedsProps {
  status: WindowStatus;
  onChoose: (deed: Saying) => void;
}

function Deeds({ status, onChoose }: DeedsProps) {
  if (status === "completed") return null;
  return status === "closed" ? (
    <Button icon={RotateCcw} onClick={() => onChoose("reopening")}>
      {words.deeds.reopening.action}
    </Button>
  ) : (
    <Button icon={CircleX} onClick={() => onChoose("closing")}>
      {words.deeds.closing.action}
    </Button>
  );
}

function Times({ window }: WindowViewProps) {
  return (
    <>
      <Fact label={words.when}>
        <Span startsAt={window.startsAt} endsAt={window.endsAt} />
      </Fact>
      {window.closedAt !== null && (
        <Fact label={words.closedAt}>
          <Time value={window.closedAt} />
        </Fact>
      )}
    </>
  );
}

interface SayProps extends WindowViewProps {
  saying: Saying;
  onClose: () => void;
}

function Say({ window, saying, onClose }: SayProps) {
  const deed = words.deeds[saying];
  const say = useAct({
    run: ({ text, notify }: Said) =>
      saying === "closing"
        ? closeWindow(window.id, { text, notify })
        : addWindowUpdate(window.id, { text, notify, reopen: saying === "reopening" }),
    touches: [WINDOWS.key],
    says: () => deed.done(window.title),
  });
  return (
    <SayDialog
      title={deed.title(window.title)}
      action={deed.action}
      subject={window}
      requests={WINDOWS}
      onClose={onClose}
      onSay={say}
    />
  );
}
