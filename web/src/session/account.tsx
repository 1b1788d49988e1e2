/** Who is signed in, and the way to be somebody else. */

import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { useMe } from "./me";
import { useOtherAccount } from "./use-other-account";

export function Account() {
  const me = useMe();
  const change = useOtherAccount();
  return (
    <div className="flex items-start gap-3">
      <Avatar name={me.name} size="large" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <div className="min-w-0 leading-tight">
          <p className="truncate font-medium">{me.name}</p>
          <p className="truncate text-[0.8125rem] text-muted">{me.email}</p>
        </div>
        <button
          type="button"
          onClick={() => void change()}
          className="rounded text-[0.8125rem] font-medium text-accent hover:underline pointer-coarse:py-1.5"
        >
          {texts.connect.otherAccount}
        </button>
      </div>
    </div>
  );
}
