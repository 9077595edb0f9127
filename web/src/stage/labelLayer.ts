import type { PerspectiveCamera } from "three";
import { pointInWorld } from "../motion/clip";
import { spoken } from "../motion/figure";
import type { Look } from "../state/look";
import type { FigureView } from "./figureView";
import { drawLabels, placeLabels, type Label, type LabelColors } from "./labels";
import type { Palette } from "./palette";
import { projectInto, type Projected } from "./project";

/** Names over the picture: on a canvas of its own, which is hidden while it has nothing to say. */
export class LabelLayer {
  private readonly context: CanvasRenderingContext2D;
  private colors: LabelColors | null = null;
  private widths = new Map<string, number>();
  private ratio = 1;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d");
    if (!context) throw new Error("This browser has no 2-D canvas, which names are drawn on.");
    this.context = context;
  }

  resize(width: number, height: number): void {
    this.ratio = Math.max(1, Math.min(devicePixelRatio, 2));
    this.canvas.width = width * this.ratio;
    this.canvas.height = height * this.ratio;
    this.context.font = `500 11.5px ui-sans-serif, system-ui, "Segoe UI", sans-serif`;
    this.widths = new Map();
  }

  setTheme(light: boolean, palette: Palette): void {
    const css = (color: number) => `#${color.toString(16).padStart(6, "0")}`;
    this.colors = {
      paper: light ? "rgba(255,255,255,.86)" : "rgba(20,22,26,.78)", text: light ? "#2a2e36" : "#dfe3ea",
      line: light ? "rgba(60,66,78,.45)" : "rgba(200,208,220,.4)", accent: light ? "#a4520a" : css(palette.accent),
      point: light ? "#8a5600" : css(palette.point),
    };
  }

  draw(figures: readonly FigureView[], camera: PerspectiveCamera, look: Look, size: { width: number; height: number }): void {
    const labels = this.labels(figures, camera, look, size);
    this.canvas.style.visibility = labels.length > 0 ? "visible" : "hidden";
    if (labels.length === 0 || !this.colors) return;
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.font = `500 11.5px ui-sans-serif, system-ui, "Segoe UI", sans-serif`;
    context.clearRect(0, 0, size.width, size.height);
    drawLabels(context, placeLabels(labels, (text) => this.measure(text), size.width), this.colors);
  }

  private labels(
    figures: readonly FigureView[], camera: PerspectiveCamera, look: Look, size: { width: number; height: number },
  ): Label[] {
    const [figure] = figures;
    if (!figure) return [];
    const { clip, pose } = figure;
    const found: Label[] = [];
    const at: Projected = { x: 0, y: 0, depth: 0 };
    const point = new Float64Array(3);
    // Figures in a row say which take they are.
    if (look.beside && look.ghost && figures.length > 1) {
      for (const { clip, pose, group } of figures) {
        const [x, y, z] = crown(pose.positions, clip.height);
        projectInto(at, camera, size, x + group.position.x, y, z + group.position.z);
        if (at.depth > 0) found.push({ text: clip.name, x: at.x, y: at.y, kind: "title", rank: 60 });
      }
    }
    for (const { name, joint, offset } of clip.points) {
      pointInWorld(pose, joint, offset, point);
      projectInto(at, camera, size, point[0], point[1], point[2]);
      if (at.depth > 0) found.push({ text: name, x: at.x, y: at.y, kind: "point", rank: 50 });
    }
    clip.joints.forEach((joint, j) => {
      const picked = j === look.hovered || j === look.selected;
      if (!picked && !look.names) return;
      projectInto(at, camera, size, pose.positions[j * 3], pose.positions[j * 3 + 1], pose.positions[j * 3 + 2]);
      if (at.depth <= 0) return;
      const text = picked && joint.role && joint.role !== joint.name ? `${joint.name} · ${spoken(joint.role)}` : joint.name;
      // A rig's joints before fingers and helpers, near ones before far ones.
      const rank = picked ? 100 + (j === look.hovered ? 1 : 0) : (joint.role ? 20 : 0) - at.depth * 0.01;
      found.push({ text, x: at.x, y: at.y, kind: picked ? "picked" : "name", rank });
    });
    return found;
  }

  private measure(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      width = this.context.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }
}

/** A place over the highest joint, above the middle of the figure. */
function crown(positions: ArrayLike<number>, height: number): [number, number, number] {
  let top = -Infinity;
  for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
  return [positions[0], top + height * 0.16, positions[2]];
}
