/** A change outside whose outcome was not seen: a person looks, and says what they found. */

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { TextArea } from "../ui/input";
import type { Decision, StatusProps } from "./decision";

const words = texts.card;
const MOST_CHARACTERS = 2_000;

export function Resolving({ proposal, decision }: StatusProps) {
  return (
    <div className="flex flex-col gap-3.5 px-4 py-3.5 @md:px-5">
      <div className="flex items-start gap-2.5 rounded-lg bg-caution-soft px-3 py-2.5 text-on-caution-soft">
        <TriangleAlert size={16} aria-hidden="true" className="mt-0.75 shrink-0" />
        <div className="min-w-0">
          <p className="font-medium">{words.unknown}</p>
          <p className="text-pretty">{words.unknownBody}</p>
        </div>
      </div>
      {proposal.mayDecide ? (
        <ResolveForm decision={decision} />
      ) : (
        <p className="text-muted">{words.unknownOthers}</p>
      )}
    </div>
  );
}

interface ResolveFormProps {
  decision: Decision;
}

function ResolveForm({ decision }: ResolveFormProps) {
  const [note, setNote] = useState("");
  const { busy, resolve } = decision;
  return (
    <form
      aria-label={words.unknown}
      onSubmit={(event) => event.preventDefault()}
      data-unsaved={note !== "" || undefined}
      className="flex flex-col gap-3"
    >
      <Field label={words.note} hint={words.noteHint} optional>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            maxLength={MOST_CHARACTERS}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2 @max-sm:flex-col">
        <Button
          size="large"
          busy={busy === "failed"}
          disabled={busy === "applied"}
          onClick={() => resolve("failed", note.trim())}
        >
          {words.happenedNot}
        </Button>
        <Button
          size="large"
          variant="primary"
          busy={busy === "applied"}
          disabled={busy === "failed"}
          onClick={() => resolve("applied", note.trim())}
        >
          {words.happened}
        </Button>
      </div>
    </form>
  );
}
