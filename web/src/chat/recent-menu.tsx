/** In the dock: the latest chats, to go on with another one without leaving the page. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { conversationsPaged } from "../api/conversations";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { Menu, MenuItem } from "../ui/menu";
import { usePlace } from "./place";

const MOST = 8;

export function RecentMenu() {
  const { shownId, open } = usePlace();
  const { data = [] } = useInfiniteQuery(conversationsPaged(""));
  const others = data.filter(({ id }) => id !== shownId).slice(0, MOST);
  if (others.length === 0) return null;
  return (
    <Menu trigger={<IconButton label={texts.dock.recent} icon={History} />}>
      {others.map(({ id, title }) => (
        <MenuItem key={id} onSelect={() => open(id)}>
          <span className="truncate">{title || texts.chat.untitled}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
