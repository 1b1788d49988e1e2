/** Applications and their keys. */

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { applicationsQuery } from "../api/applications";
import type { Application } from "../api/types";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Section } from "../ui/page";
import { Forbidden } from "../ui/states";
import { ApplicationCard } from "./application-card";
import { NewApplication } from "./new-application";
import { NewKey } from "./new-key";

const READ = "identity.application.read";

export function KeysPage() {
  return useMayEverywhere(READ) ? <Applications /> : <Forbidden rule={READ} />;
}

function Applications() {
  const query = useQuery(applicationsQuery);
  const mayManage = useMayEverywhere("identity.application.manage");
  const [creating, setCreating] = useState(false);
  const [keyFor, setKeyFor] = useState<Application | null>(null);
  const create = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.keys.new}
    </Button>
  );
  return (
    <Section
      title={texts.keys.heading}
      body={texts.keys.body}
      action={query.data && query.data.length > 0 && create}
    >
      <Loaded query={query}>
        {(applications) =>
          applications.length === 0 ? (
            <EmptyList
              icon={KeyRound}
              title={texts.keys.emptyTitle}
              body={texts.keys.emptyBody}
              action={create}
            />
          ) : (
            <div className="flex flex-col gap-4">
              {applications.map((application) => (
                <ApplicationCard
                  key={application.id}
                  application={application}
                  mayManage={mayManage}
                  onNewKey={() => setKeyFor(application)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {creating && (
        <NewApplication
          onClose={() => setCreating(false)}
          onCreated={(application) => {
            setCreating(false);
            setKeyFor(application);
          }}
        />
      )}
      {keyFor !== null && <NewKey application={keyFor} onClose={() => setKeyFor(null)} />}
    </Section>
  );
}
