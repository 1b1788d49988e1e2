/** Says that somebody else was faster, and offers to bring the form up to date. */

import { type ReactNode, useState } from "react";
import { describeFailure } from "../api/failure";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import type { ChangeState } from "./use-versioned-form";

interface ChangedNoticeProps {
  state: ChangeState;
  onLoad: () => Promise<void>;
}

export function ChangedNotice({ state, onLoad }: ChangedNoticeProps) {
  const views: Record<ChangeState, ReactNode> = {
    current: null,
    changed: <Changed onLoad={onLoad} />,
    rebased: <Banner tone="plain">{texts.forms.changedLoaded}</Banner>,
  };
  return views[state];
}

interface ChangedProps {
  onLoad: () => Promise<void>;
}

function Changed({ onLoad }: ChangedProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function load(): Promise<void> {
    setBusy(true);
    try {
      await onLoad();
    } catch (error) {
      setFailure(describeFailure(error));
      setBusy(false);
    }
  }

  return (
    <Banner
      tone="caution"
      title={texts.forms.changedTitle}
      action={
        <Button size="small" busy={busy} onClick={() => void load()}>
          {texts.forms.changedLoad}
        </Button>
      }
    >
      {failure ?? texts.forms.changedBody}
    </Banner>
  );
}

/** Under a field that both sides changed: what the other side wrote. */
export function theirsHint(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value === "" ? texts.forms.changedTheirsEmpty : texts.forms.changedTheirs(value);
}
