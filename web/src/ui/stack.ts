/** Figures as bars that stand one upon the other. Pure. */

export interface Series {
  id: string;
  name: string;
  /** One for each point. */
  values: number[];
  total: number;
}

export interface Bar {
  series: number;
  /** From the top, out of a hundred. */
  y: number;
  height: number;
}

/** The bars at each point, one upon the other; the tallest is a hundred high. */
export function stack(
  series: readonly Series[],
  pointCount: number,
): { most: number; bars: Bar[][] } {
  const totals = Array.from({ length: pointCount }, (_, point) =>
    series.reduce((sum, { values }) => sum + (values[point] ?? 0), 0),
  );
  const most = Math.max(0, ...totals);
  const bars = totals.map((_, point) => {
    let top = 100;
    return series.flatMap(({ values }, index) => {
      const height = most > 0 ? ((values[point] ?? 0) / most) * 100 : 0;
      top -= height;
      return height > 0 ? [{ series: index, y: top, height }] : [];
    });
  });
  return { most, bars };
}
