/** Says that the connection is gone. */

import { CloudOff } from "lucide-react";
import { useOnline } from "../session/online";
import { texts } from "../texts";

export function OfflineBar() {
  const online = useOnline();
  return (
    <div role="status" className="empty:hidden">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-caution-soft px-4 py-2 text-on-caution-soft md:mb-2 md:rounded-lg">
          <CloudOff size={15} aria-hidden="true" />
          {texts.states.offline}
        </p>
      )}
    </div>
  );
}
