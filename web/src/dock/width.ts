/** How wide the dock is. Pure. */

export const USUAL_WIDTH = 420;
export const LEAST_WIDTH = 340;
const MOST_WIDTH = 760;
/** What the sidebar and the page beside the dock need at least. */
const BESIDE = 800;

export function mostWidth(windowWidth: number): number {
  return Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, windowWidth - BESIDE));
}

export function clampWidth(wanted: number, windowWidth: number): number {
  return Math.round(Math.min(Math.max(wanted, LEAST_WIDTH), mostWidth(windowWidth)));
}

/** As it was kept; whatever is no width counts as none. */
export function parseWidth(kept: string | null): number {
  const width = Number(kept ?? Number.NaN);
  return Number.isFinite(width) && width > 0 ? width : USUAL_WIDTH;
}

const STEP = 24;
const FAR_STEP = 96;

/** The dock is at the right: its handle to the left makes it wider. Nothing for any other key. */
export function widthAfterKey(key: string, width: number, far: boolean): number | null {
  const step = far ? FAR_STEP : STEP;
  if (key === "ArrowLeft") return width + step;
  if (key === "ArrowRight") return width - step;
  if (key === "Home") return MOST_WIDTH;
  return key === "End" ? LEAST_WIDTH : null;
}
