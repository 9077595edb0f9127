/** Which names can be written without one covering another. Pure; the drawing is below. */

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** A title stands over its point, all others beside it. */
  readonly kind: "name" | "picked" | "point" | "title";
  /** Higher is placed first. */
  readonly rank: number;
}

export interface PlacedLabel extends Label {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

const ROW = 17;
const GAP = 9;

/** Greedy: the most important first, right of its point or else left of it; what fits on neither side is left out. */
export function placeLabels(labels: readonly Label[], measure: (text: string) => number, width: number): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const free = (left: number, top: number, w: number) =>
    placed.every((p) => left + w < p.left || p.left + p.width < left || top + ROW <= p.top || p.top + ROW <= top);
  for (const label of [...labels].sort((a, b) => b.rank - a.rank)) {
    const w = measure(label.text) + 10;
    if (label.kind === "title") {
      const left = Math.max(0, Math.min(label.x - w / 2, width - w));
      // Figures that stand behind one another have their titles one above the other.
      const top = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => label.y - ROW * (row + 1)).find((top) => free(left, top, w));
      if (top !== undefined) placed.push({ ...label, left, top, width: w });
      continue;
    }
    const top = label.y - ROW / 2;
    const sides = [label.x + GAP, label.x - GAP - w].filter((left) => left >= 0 && left + w <= width);
    const left = sides.find((side) => free(side, top, w)) ?? (label.kind === "picked" ? sides[0] : undefined);
    if (left !== undefined) placed.push({ ...label, left, top, width: w });
  }
  return placed;
}

export interface LabelColors {
  readonly paper: string;
  readonly text: string;
  readonly line: string;
  readonly accent: string;
  readonly point: string;
}

export function drawLabels(context: CanvasRenderingContext2D, labels: readonly PlacedLabel[], colors: LabelColors): void {
  context.textBaseline = "middle";
  for (const label of labels) {
    const tone = { name: colors.text, picked: colors.accent, point: colors.point, title: colors.text }[label.kind];
    if (label.kind !== "title") {
      const inner = label.left > label.x ? label.left : label.left + label.width;
      context.strokeStyle = label.kind === "name" ? colors.line : tone;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(label.x, label.y);
      context.lineTo(inner, label.y);
      context.stroke();
    }
    context.fillStyle = colors.paper;
    context.beginPath();
    context.roundRect(label.left, label.top + 0.5, label.width, ROW - 1, 4);
    context.fill();
    context.fillStyle = tone;
    context.fillText(label.text, label.left + 5, label.top + ROW / 2 + 0.5);
  }
}
