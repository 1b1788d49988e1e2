/** Icons that plugin pages may name. An unknown name gets a neutral one. Pure. */

import {
  Activity,
  Bell,
  Blocks,
  Box,
  Boxes,
  CalendarClock,
  ChartLine,
  Database,
  Gauge,
  Globe,
  HeartPulse,
  KeyRound,
  Layers,
  type LucideIcon,
  Network,
  Plug,
  Radar,
  Server,
  Siren,
  Table,
  Workflow,
  Wrench,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  activity: Activity,
  bell: Bell,
  box: Box,
  boxes: Boxes,
  calendar: CalendarClock,
  chart: ChartLine,
  database: Database,
  gauge: Gauge,
  globe: Globe,
  heart: HeartPulse,
  key: KeyRound,
  layers: Layers,
  network: Network,
  plug: Plug,
  radar: Radar,
  server: Server,
  siren: Siren,
  table: Table,
  workflow: Workflow,
  wrench: Wrench,
};

export function pageIcon(name: string): LucideIcon {
  return ICONS[name] ?? Blocks;
}
