/** What a list shows when nothing is in it: what belongs there and how to begin, or that the
 * filters leave nothing. */

import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts";
import { Button } from "./button";
import { Card } from "./page";
import { Notice } from "./states";

interface EmptyListProps {
  icon: LucideIcon;
  title: string;
  body: ReactNode;
  action?: ReactNode;
  /** Given where the list is narrowed. */
  onClear?: (() => void) | null;
}

export function EmptyList({ icon, title, body, action, onClear = null }: EmptyListProps) {
  return (
    <Card>
      {onClear === null ? (
        <Notice icon={icon} title={title} action={action}>
          {body}
        </Notice>
      ) : (
        <Notice
          icon={SearchX}
          title={texts.states.noMatchTitle}
          action={<Button onClick={onClear}>{texts.actions.clearFilters}</Button>}
        >
          {texts.states.noMatchBody}
        </Notice>
      )}
    </Card>
  );
}
