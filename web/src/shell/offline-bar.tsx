/** Says that the connection is gone. What is back in a moment moves nothing on the page. */

import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useOnline } from "../session/online";
import { texts } from "../texts";

const A_MOMENT_MS = 1_000;

function useGoneForLonger(online: boolean): boolean {
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (online) return setGone(false);
    const timer = setTimeout(() => setGone(true), A_MOMENT_MS);
    return () => clearTimeout(timer);
  }, [online]);
  return gone && !online;
}

export function OfflineBar() {
  const gone = useGoneForLonger(useOnline());
  return (
    <div role="status" className="empty:hidden">
      {gone && (
        <p className="flex items-center justify-center gap-2 bg-caution-soft px-4 py-2 text-on-caution-soft md:mb-2 md:rounded-lg">
          <CloudOff size={15} aria-hidden="true" />
          {texts.states.offline}
        </p>
      )}
    </div>
  );
}
